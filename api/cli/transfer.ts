import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Alert } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import { adviceIn } from '../middleware/advice.js'
import type { ImportResult } from '../operations/transfer/transfer.js'
import { exportDocument, importSteps } from '../operations/transfer/transfer.js'
import { openedDocument } from '../operations/transfer/transferSecrets.js'
import { system } from '../schema/privileges.js'
import type { Service } from '../server.js'
import { CommandFailed } from './failed.js'
import { progressBar } from './progress.js'
import { writeOutput } from './wholeFile.js'
import { withService } from './withService.js'

export async function importCommand(file: string, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  const document = parse(file, read(file))
  await withService(async (service) => {
    const result = await importInto(service, document, { dryRun })
    const said = `${result.created} created, ${result.updated} updated, ${result.unchanged} unchanged`
    process.stdout.write(`${dryRun ? 'Nothing was written. It would be: ' : ''}${said}\n`)
  })
}

/** What is exported with its secrets is to come back as it was: so it says the ids, too. */
export async function exportCommand(
  file: string,
  { secrets = false, ids = secrets }: { secrets?: boolean; ids?: boolean },
): Promise<void> {
  await withService(
    async ({ services }) => {
      const { data, catalogue, vault } = services
      const document = exportDocument(data, catalogue, { secrets: secrets ? vault : null, ids })
      const text = `${JSON.stringify(document, null, 2)}\n`
      await writeOutput(file, [Readable.from([text])], { mode: secrets ? 0o600 : 0o644 })
    },
    { existing: true },
  )
}

/** The whole document in one commit, or nothing and every fault with its path. */
export async function importInto(
  { services }: Service,
  document: unknown,
  { dryRun = false } = {},
): Promise<ImportResult> {
  const bar = progressBar('importing')
  let advice: readonly Alert[] = []
  const steps = function* (transaction: Transaction): Generator<void, ImportResult> {
    const opened = yield* openedDocument(document, services.catalogue, services.vault)
    const result = yield* importSteps(transaction, opened.document, services.catalogue, { progress: bar.to })
    const faults = [...opened.faults, ...result.faults]
    if (faults.length > 0) throw new Refused({ ...result, faults })
    advice = adviceIn(transaction)
    transaction.log(`Imported ${result.created} new and ${result.updated} changed records`)
    return result
  }
  try {
    const result = dryRun
      ? await services.committer.rehearseInSteps(system, steps)
      : (await services.committer.writeInSteps({ user: system, requestId: randomUUID() }, steps)).value
    for (const { text } of advice) process.stderr.write(`edgewright: note that ${text}\n`)
    return result
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const lines = error.result.faults.map(({ text }) => `  ${text}`)
    throw new CommandFailed(`nothing was imported; the document has faults:\n${lines.join('\n')}`)
  } finally {
    bar.end()
  }
}

class Refused extends Error {
  constructor(readonly result: ImportResult) {
    super('the document has faults')
  }
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailed(`${file} is not valid JSON: ${(error as Error).message}`)
  }
}
