import { Type } from '@sinclair/typebox'
import type { Alert } from '../config/errors.js'
import { invalid } from '../config/errors.js'
import type { Plan } from '../journal/plan.js'
import { adviceIn } from '../middleware/advice.js'
import { backupText } from '../operations/backup/backup.js'
import type { Endpoint } from '../operations/endpoint.js'
import { exportPieces } from '../operations/transfer/exports.js'
import { importSteps } from '../operations/transfer/transfer.js'
import { openedDocument } from '../operations/transfer/transferSecrets.js'
import { success } from './crud/routes.js'

/** Whole documents over HTTP, as the command line's `import` and `export` take and give them. */
export const transferEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/export',
    role: 'admin',
    reach: 'root',
    summary: 'Every record as one document that `import` takes, without secrets',
    document: Type.Record(Type.String(), Type.Array(Type.Object({}))),
    query: { ids: 'true: with the id of every record, which an import into an empty store keeps' },
    live: async ({ query, user }, { committer, catalogue, exports }, gone) => {
      const ids = query.ids === 'true'
      const make = () => committer.rehearseInSteps(user, ({ data }) => exportPieces(data, catalogue, { ids }), gone)
      return { pieces: exports.pieces(make) }
    },
  },
  {
    method: 'GET',
    path: '/backup',
    role: 'admin',
    reach: 'root',
    summary: 'Everything the store holds, at one revision, as a file that `edgewright restore` takes',
    produces: 'application/octet-stream',
    live: async (_asked, { store, vault, now }) => ({
      pieces: backupText({ store, vaultKey: vault.id, now }),
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="edgewright.backup"',
      },
    }),
  },
  {
    method: 'POST',
    path: '/import',
    role: 'admin',
    reach: 'root',
    summary: 'A document of records: all of it is checked, then committed in one entry, or every fault is listed',
    bodyDocument: Type.Record(Type.String(), Type.Array(Type.Object({}))),
    response: Type.Object({ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() }),
    bodyLimit: 256 * 2 ** 20,
    importBody: true,
    query: { dryRun: 'true: check only' },
    live: async (asked, { committer, catalogue, vault }, gone) => {
      const { body, user, query } = asked
      const steps = function* (plan: Plan) {
        const opened = yield* openedDocument(body, catalogue, vault)
        const { faults, ...counts } = yield* importSteps(plan, opened.document, catalogue)
        if (opened.faults.length + faults.length > 0) throw invalid([...opened.faults, ...faults])
        plan.log(`Imported ${counts.created} new and ${counts.updated} changed records`)
        return { counts, advice: adviceIn(plan) }
      }
      const dryRun = query.dryRun === 'true'
      const { counts, advice } = dryRun
        ? await committer.rehearseInSteps(user, steps, gone)
        : (await committer.writeInSteps(asked, steps)).value
      const text = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged.`
      const notice: Alert[] = dryRun ? [{ level: 'info', text: 'Dry run: nothing was changed.' }] : []
      return { response: counts, alerts: [...notice, success(text), ...advice] }
    },
  },
]
