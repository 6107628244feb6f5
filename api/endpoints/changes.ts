import { Type } from '@sinclair/typebox'
import type { Data } from '../data.js'
import type { Endpoint } from '../endpoint.js'
import { badRequest } from '../errors.js'
import type { Catalogue } from '../resource/catalogue.js'
import type { Row } from '../resource/define.js'
import { type Caller, reachesTenant } from '../roles.js'
import type { Change, Entry, StoredRecord } from '../store/store.js'
import { zonedTime } from '../times.js'

const mostEntries = 1000

/** `null` before it was made and after it was removed. */
const record = Type.Union([Type.Object({}), Type.Null()])

/** The journal itself: every entry with each record before and after, secrets masked. */
export const changeEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/changes',
    role: 'oper',
    summary: 'Journal entries after a revision: who changed which records, from what to what',
    query: {
      since: 'the revision after which to begin; default 0',
      limit: `at most so many entries, up to ${mostEntries}; default 100`,
      kind: 'only changes of this collection',
    },
    response: Type.Array(
      Type.Object({
        revision: Type.Integer(),
        time: Type.String(),
        user: Type.String(),
        id: Type.String(),
        requestId: Type.String(),
        log: Type.Array(Type.Object({ level: Type.String(), message: Type.String() })),
        changes: Type.Array(Type.Object({ kind: Type.String(), id: Type.Integer(), before: record, after: record })),
      }),
    ),
    live: async ({ query, user }, { store, catalogue, data, workingSet }) => {
      const since = whole('since', query.since, 0, Number.MAX_SAFE_INTEGER)
      const limit = whole('limit', query.limit, 100, mostEntries)
      const entries = await store.entriesAfter(since, limit)
      return {
        response: entries.map((entry) => {
          const visible = entry.changes.filter(
            (change) => (!query.kind || change.kind === query.kind) && reaches(user, change, catalogue, data),
          )
          return shape(entry, visible, catalogue)
        }),
        extra: { revision: workingSet.revision, next: entries.at(-1)?.revision ?? since },
      }
    },
  },
]

function whole(name: string, value: string | undefined, fallback: number, most: number): number {
  if (value === undefined || value === '') return fallback
  if (!/^\d{1,15}$/.test(value) || Number(value) > most)
    throw badRequest(`'${name}' must be a whole number, at most ${most}.`)
  return Number(value)
}

/** What belongs to tenants is shown to those who reach them, before and after; what is of none now, to the root's. */
function reaches(user: Caller, { kind, before, after }: Change, catalogue: Catalogue, data: Data): boolean {
  const tenant = catalogue.has(kind) ? catalogue.of(kind).tenant : undefined
  if (!tenant || data.get('tenants', user.tenantId)?.parentId === null) return true
  return [before, after].every((record) => {
    const id = record && tenant(record as unknown as Row, data)
    return record === null || (id !== null && reachesTenant(data, user, id))
  })
}

function shape({ revision, time, user, id, requestId, log }: Entry, changes: readonly Change[], catalogue: Catalogue) {
  return {
    revision,
    time: zonedTime(time),
    user,
    id,
    requestId,
    log: log.map(({ level, message }) => ({ level, message })),
    changes: changes.map((change) => masked(change, catalogue)),
  }
}

/** Secrets are only said to have changed, whoever asks. */
export function masked({ kind, id, before, after }: Change, catalogue: Catalogue): object {
  const fields = catalogue.has(kind) ? catalogue.of(kind).fields : {}
  const hide = (record: StoredRecord | null, other: StoredRecord | null): object | null => {
    if (record === null) return null
    const shown = Object.entries(record).map(([name, value]) => {
      const notes = fields[name]?.notes
      const isSecret = notes?.secret || notes?.hidden || (record.secure === true && name === 'value')
      if (!isSecret || value === null) return [name, value]
      return [name, other !== null && other[name] !== value ? '******** (changed)' : '********']
    })
    return Object.fromEntries(shown)
  }
  return { kind, id, before: hide(before, null), after: hide(after, before) }
}
