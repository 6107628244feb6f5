import { readFileSync } from 'node:fs'
import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import { Refused } from './service/client.js'

/** What an import came to, or would. */
export interface Imported {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly removed: number
  readonly plan?: Plan
}

export interface Plan {
  readonly digest: string
  readonly changes: readonly PlannedChange[]
  readonly more: number
}

export interface PlannedChange {
  readonly kind: string
  readonly name: string
  readonly action: 'create' | 'update' | 'delete'
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

export interface ImportQuery {
  readonly dryRun?: 'true'
  readonly changes?: 'true'
  readonly prune?: 'true' | undefined
  readonly plan?: string
}

/** The text of a document, once it is known to be JSON. */
export function readDocument(file: string): string {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`)
  }
  try {
    JSON.parse(text)
  } catch (error) {
    throw new CommandFailed(`${file} is not valid JSON: ${(error as Error).message}`)
  }
  return text
}

/** Has a service import a document. What it advises goes to the terminal; every fault of the document is listed. */
export async function importText(client: Client, text: string, query: ImportQuery): Promise<Imported> {
  try {
    const { response, alerts } = await client.ask<Imported>('POST', 'import', { query: { ...query }, body: text })
    for (const { level, text } of alerts)
      if (level === 'warning') process.stderr.write(`edgewright: note that ${text}\n`)
    return response
  } catch (error) {
    if (!(error instanceof Refused) || ![400, 403, 404, 409].includes(error.status) || error.texts.length === 0)
      throw error
    const faults = error.texts.map((one) => `  ${one}`).join('\n')
    throw new CommandFailed(`nothing was imported; the document has faults:\n${faults}`)
  }
}

export const counts = ({ created, updated, unchanged, removed }: Imported): string =>
  `${created} created, ${updated} updated, ${unchanged} unchanged${removed > 0 ? `, ${removed} removed` : ''}`

const marks = { create: '+', update: '~', delete: '-' } as const

/** A plan for people: a line for each record, and below it one for each field that changes. */
export function planLines({ changes, more }: Plan): string[] {
  const lines = changes.flatMap(({ kind, name, action, fields }) => [
    `${marks[action]} ${kind} ${name}`,
    ...fields.map(
      ({ field, before, after }) => `    ${field}: ${action === 'create' ? '' : `${said(before)} → `}${said(after)}`,
    ),
  ])
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

/** On one line, whatever it holds. */
const said = (value: unknown): string => JSON.stringify(value)
