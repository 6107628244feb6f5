import { Type } from '@sinclair/typebox'
import type { Alert } from '../config/errors.js'
import { invalid, planChanged } from '../config/errors.js'
import { jsonPieces } from '../flow/pieces.js'
import type { DecidedTransaction } from '../journal/transaction.js'
import { adviceIn } from '../middleware/advice.js'
import type { Body, Endpoint, RequestInput } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { dryRunQuery, flagQuery, textQuery } from '../operations/queryParameters.js'
import { exportPieces } from '../operations/transfer/exports.js'
import { importPlan, planSteps } from '../operations/transfer/importPlan.js'
import type { ImportResult } from '../operations/transfer/transfer.js'
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

const importQuery = {
  ...dryRunQuery,
  changes: flagQuery('With dryRun: the plan, which is every record and field that would change.'),
  prune: flagQuery('Also remove what the document does not have, of the collections that it has.'),
  plan: textQuery('The digest of a plan: the import makes what it says, or answers 412.'),
}

const imported = (uses: Uses): Endpoint => ({
  method: 'POST',
  path: '/import',
  since: '1.3',
  role: 'admin',
  reach: 'root',
  summary: 'A document of records: all of it is checked, then committed in one entry, or every fault is listed',
  body: importDocument,
  response: Type.Object({
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    removed: Type.Integer(),
    plan: Type.Optional(importPlan),
  }),
  bodyLimit: 256 * 2 ** 20,
  importBody: true,
  query: importQuery,
  live: async (input, { committer, gone }) => {
    const dryRun = input.query.dryRun === 'true'
    const steps = importing(input, uses)
    const { counts, plan, advice } = dryRun
      ? await committer.rehearseInSteps(input.user, steps, gone)
      : (await committer.writeInSteps(input, steps)).value
    const notice: Alert[] = dryRun ? [{ level: 'info', text: 'Dry run: nothing was changed.' }] : []
    const alerts = [...notice, success(said(counts)), ...advice]
    // A plan may be long.
    return plan ? { pieces: jsonPieces({ alerts, response: { ...counts, plan } }) } : { response: counts, alerts }
  },
})

/** What an import decides: all of the document, or every fault of it. */
const importing = ({ body, query }: RequestInput, { catalogue, vault }: Uses) =>
  function* (transaction: DecidedTransaction) {
    const opened = yield* openedDocument(importDocument.read(body), catalogue, vault)
    const prunes = query.prune === 'true'
    const { faults, ...counts } = yield* importSteps(transaction, opened.document, catalogue, { prunes })
    if (opened.faults.length + faults.length > 0) throw invalid([...opened.faults, ...faults])
    const isShown = query.dryRun === 'true' && query.changes === 'true'
    const plan = isShown || query.plan ? yield* planSteps(transaction, catalogue) : null
    if (query.plan && plan?.digest !== query.plan) throw planChanged()
    const removed = counts.removed > 0 ? `, removed ${counts.removed}` : ''
    transaction.log(`Imported ${counts.created} new and ${counts.updated} changed records${removed}`)
    return { counts, plan: isShown ? plan : null, advice: adviceIn(transaction) }
  }

const said = ({ created, updated, unchanged, removed }: Omit<ImportResult, 'faults'>): string =>
  `${created} created, ${updated} updated, ${unchanged} unchanged${removed > 0 ? `, ${removed} removed` : ''}.`
