import { Type } from '@sinclair/typebox'
import type { Alert } from '../config/errors.js'
import { invalid } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import { adviceIn } from '../middleware/advice.js'
import type { Body, Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { dryRunQuery, flagQuery } from '../operations/queryParameters.js'
import { exportPieces } from '../operations/transfer/exports.js'
import { importSteps } from '../operations/transfer/transfer.js'
import { openedDocument } from '../operations/transfer/transferSecrets.js'
import { success } from './crud/routes.js'

const records = Type.Record(Type.String(), Type.Array(Type.Object({})))

/** Too large to be looked at whole: it is checked a record a step, as it is imported. */
const importDocument: Body = { schema: records, read: (given) => given }

type Uses = Pick<Parts, 'catalogue' | 'exports' | 'vault'>

/** Whole documents over HTTP, as the command line's `import` and `export` take and give them. */
export const transferEndpoints = (uses: Uses): readonly Endpoint[] => [exported(uses), imported(uses)]

const exported = ({ catalogue, exports }: Uses): Endpoint => ({
  method: 'GET',
  path: '/export',
  since: '1.3',
  role: 'admin',
  reach: 'root',
  summary: 'Every record as one document that `import` takes, without secrets',
  document: records,
  query: { ids: flagQuery('With the id of every record, which an import into an empty store keeps.') },
  live: async ({ query, user }, { committer, gone }) => {
    const ids = query.ids === 'true'
    const make = () => committer.rehearseInSteps(user, ({ data }) => exportPieces(data, catalogue, { ids }), gone)
    return { pieces: exports.pieces(make) }
  },
})

const imported = ({ catalogue, vault }: Uses): Endpoint => ({
  method: 'POST',
  path: '/import',
  since: '1.3',
  role: 'admin',
  reach: 'root',
  summary: 'A document of records: all of it is checked, then committed in one entry, or every fault is listed',
  body: importDocument,
  response: Type.Object({ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() }),
  bodyLimit: 256 * 2 ** 20,
  importBody: true,
  query: dryRunQuery,
  live: async (input, { committer, gone }) => {
    const { body, user, query } = input
    const steps = function* (transaction: Transaction) {
      const opened = yield* openedDocument(importDocument.read(body), catalogue, vault)
      const { faults, ...counts } = yield* importSteps(transaction, opened.document, catalogue)
      if (opened.faults.length + faults.length > 0) throw invalid([...opened.faults, ...faults])
      transaction.log(`Imported ${counts.created} new and ${counts.updated} changed records`)
      return { counts, advice: adviceIn(transaction) }
    }
    const dryRun = query.dryRun === 'true'
    const { counts, advice } = dryRun
      ? await committer.rehearseInSteps(user, steps, gone)
      : (await committer.writeInSteps(input, steps)).value
    const text = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged.`
    const notice: Alert[] = dryRun ? [{ level: 'info', text: 'Dry run: nothing was changed.' }] : []
    return { response: counts, alerts: [...notice, success(text), ...advice] }
  },
})
