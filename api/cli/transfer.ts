import { randomUUID } from 'node:crypto'
import type { Alert } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import { adviceIn } from '../middleware/advice.js'
import type { ImportResult } from '../operations/transfer/transfer.js'
import { importSteps } from '../operations/transfer/transfer.js'
import { openedDocument } from '../operations/transfer/transferSecrets.js'
import { system } from '../schema/privileges.js'
import type { Service } from '../server.js'
import { CommandFailed } from './failed.js'
import { progressBar } from './progress.js'

/** A document that comes with the program, in one commit and with a bar that shows how far it is. */
export async function importInto({ services }: Service, document: unknown): Promise<ImportResult> {
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
    const { value } = await services.committer.writeInSteps({ user: system, requestId: randomUUID() }, steps)
    for (const { text } of advice) process.stderr.write(`edgewright: note that ${text}\n`)
    return value
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
