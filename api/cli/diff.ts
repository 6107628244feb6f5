import type { Client } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

interface DiffOptions {
  readonly from: string
  readonly to: string
  readonly document: string
  readonly exitCode?: boolean
}

interface Diff {
  readonly total: number
  readonly changes: readonly Change[]
}

interface Change {
  readonly section: string
  readonly name: string
  readonly kind: string
  readonly before: unknown
  readonly after: unknown
  readonly fields: readonly { readonly path: readonly string[]; readonly before: unknown; readonly after: unknown }[]
}

/** What differs between what routers and monitors run on and what a snapshot would give them, or between two versions. */
export async function diffCommand(
  cdn: string,
  { from, to, document, exitCode = false, ...options }: ServiceOptions & DiffOptions,
): Promise<void> {
  await withClient(options, async (client) => {
    let total = 0
    for await (const page of pages(client, cdn, { from, to, document })) {
      total = page.total
      for (const change of page.changes) process.stdout.write(`${linesOf(change).join('\n')}\n`)
    }
    if (total === 0) process.stdout.write('Nothing differs.\n')
    else if (exitCode) process.exitCode = 1
  })
}

async function* pages(client: Client, cdn: string, query: Record<string, string>): AsyncGenerator<Diff> {
  for (let offset = 0; ; ) {
    const page = { ...query, offset: String(offset), limit: '1000' }
    const path = `cdns/${encodeURIComponent(cdn)}/snapshots/diff`
    const { response } = await client.ask<Diff>('GET', path, { query: page })
    yield response
    offset += response.changes.length
    if (response.changes.length === 0 || offset >= response.total) return
  }
}

const marks: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' }

const linesOf = ({ section, name, kind, fields = [] }: Change): string[] => [
  `${marks[kind] ?? kind} ${section} ${name}`,
  ...fields.map(
    ({ path, before, after }) => `    ${path.join('.')}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  ),
]
