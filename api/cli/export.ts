import { Readable } from 'node:stream'
import { CommandFailed } from './failed.js'
import type { ServiceOptions } from './service/which.js'
import { whichService } from './service/which.js'
import { withClient } from './service/withClient.js'
import { writeOutput } from './wholeFile.js'

/** What is exported with its secrets is to come back as it was: so it says the ids, too. */
export async function exportCommand(
  file: string,
  { secrets = false, ids = secrets, ...options }: ServiceOptions & { secrets?: boolean; ids?: boolean },
): Promise<void> {
  if (!secrets) {
    await withClient(options, async (client) => {
      await written(file, await client.document('export', { query: { ids: String(ids) } }), 0o644)
    })
    return
  }
  if (whichService(options))
    throw new CommandFailed('--secrets works on the store itself: a service tells nobody what is secret')
  const [{ withService }, { exportDocument }] = await Promise.all([
    import('./withService.js'),
    import('../operations/transfer/transfer.js'),
  ])
  await withService(
    async ({ services: { data, catalogue, vault } }) =>
      written(file, exportDocument(data, catalogue, { secrets: vault, ids }), 0o600),
    { existing: true },
  )
}

const written = (file: string, document: unknown, mode: number): Promise<void> =>
  writeOutput(file, [Readable.from([`${JSON.stringify(document, null, 2)}\n`])], { mode })
