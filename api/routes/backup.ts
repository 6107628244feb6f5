import { Type } from '@sinclair/typebox'
import { conflict } from '../config/errors.js'
import { backupText } from '../operations/backup/backup.js'
import type { Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { flagQuery } from '../operations/queryParameters.js'
import { success } from './crud/routes.js'

type Uses = Pick<Parts, 'log' | 'now' | 'restorer' | 'store' | 'vault'>

/** The whole store over HTTP, as the command line's `backup` and `restore` give and take it. */
export const backupEndpoints = (uses: Uses): readonly Endpoint[] => [
  { ...backup(uses), path: '/backup', since: '1.3' },
  // What the field calls a dump of the database is the same file, to the same people.
  { ...backup(uses), path: '/dbdump' },
  restore(uses),
]

const backup = ({ store, vault, now }: Uses) => ({
  method: 'GET' as const,
  role: 'admin' as const,
  reach: 'root' as const,
  summary: 'Everything the store holds, at one revision, as a file that `edgewright restore` takes',
  produces: 'application/octet-stream',
  reveals: 'the whole store' as const,
  live: async () => ({
    pieces: backupText({ store, vaultKey: vault.id, now }),
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="edgewright.backup"',
    },
  }),
})

const restore = ({ restorer, log }: Uses): Endpoint => ({
  method: 'POST',
  path: '/restore',
  role: 'admin',
  reach: 'root',
  summary: 'A backup in the place of everything the store holds; everybody signs in again',
  body: 'bytes',
  response: Type.Object({
    revision: Type.Integer(),
    records: Type.Integer(),
    entries: Type.Integer(),
    documents: Type.Integer(),
  }),
  query: {
    force: flagQuery('Replace what the store holds; needed, as it always holds something.'),
    dryRun: flagQuery('Only say whether the file is whole and could be restored here.'),
  },
  live: async ({ query, user, address, requestId }, { gone, ...call }) => {
    const dryRun = query.dryRun === 'true'
    if (!dryRun && query.force !== 'true')
      throw conflict('The store holds something. To replace all of it, ask with ?force=true. Nothing was changed.')
    const { header, restored } = await restorer.restore(call, { dryRun, gone })
    const { made, product } = header
    if (!restored) {
      const text = `The backup is whole: made at ${made} by edgewright ${product}. Nothing was changed.`
      return { alerts: [{ level: 'info', text }] }
    }
    const { revision, records, entries, blobs: documents } = restored
    log.warn({ user: user.username, address, requestId, revision, made }, 'a backup was restored')
    const text = `Restored revision ${revision}, of ${made}: ${records} records, ${entries} journal entries, ${documents} stored documents. Sign in again.`
    return { response: { revision, records, entries, documents }, alerts: [success(text)] }
  },
})
