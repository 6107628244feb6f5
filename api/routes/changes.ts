import { Type } from '@sinclair/typebox'
import { same } from '../../compiler/data/kindTable.js'
import { badRequest } from '../config/errors.js'
import { zonedTime } from '../config/times.js'
import { jsonArray } from '../flow/pieces.js'
import { isLong, turn } from '../flow/turns.js'
import type { RecordKinds } from '../journal/kinds.js'
import { seesChange, seesLine } from '../journal/tenancy.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import type { Span } from '../operations/journalHeads.js'
import { headsBackwards, headsForwards } from '../operations/journalHeads.js'
import { mustBeKept } from '../operations/journalKeep.js'
import type { Parts } from '../operations/parts.js'
import { timesIn, timesQuery } from '../operations/periods.js'
import { choiceQuery, numberQuery, textQuery } from '../operations/queryParameters.js'
import type { Kind } from '../schema/data.js'
import { asId } from '../schema/data.js'
import type { Caller } from '../schema/privileges.js'
import { seesSecrets } from '../schema/privileges.js'
import { isSecret, mask } from '../schema/secrecy.js'
import type { Change, EntryHead, StoredRecord } from '../store/store.js'

type Uses = Pick<Parts, 'catalogue' | 'data' | 'store' | 'workingSet'>

const mostEntries = 1000
/** Entries that are looked at for one answer, where few are what is asked for: `next` says where to go on. */
const mostLooked = 20_000
/** Characters after which a page ends with the entry it is at, fewer entries than were asked for or not. */
const longPage = 8_000_000

/** `null` before it was made and after it was removed. */
const record = Type.Union([Type.Object({}), Type.Null()])

/** The journal itself: every entry with each record before and after, secrets masked. */
export const changeEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/changes',
    since: '1.3',
    role: 'oper',
    reach: 'tenants',
    summary: 'Journal entries after a revision: who changed which records, from what to what',
    fails: [410],
    query: {
      since: numberQuery(
        'The revision after which to begin, by default with the oldest entry there is; 410 when it was removed.',
      ),
      limit: numberQuery("At most so many entries; default 100; fewer when they are large: go on from 'next'.", {
        max: mostEntries,
      }),
      kind: textQuery('Only changes of this collection.'),
      record: textQuery('Only entries that changed this record: servers/7, or servers/edge-1 of one that is there.'),
      user: textQuery('Only entries of this user.'),
      ...timesQuery,
      sortOrder: choiceQuery(['asc', 'desc'], "desc: the newest first; 'next' is the 'before' to go on with then."),
      before: numberQuery('Only entries before this revision.'),
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
    live: async (input) => ({ pieces: changesText(await wantedOf(input, uses), uses) }),
  },
]

interface Wanted {
  /** Entries after one revision, up to another. */
  readonly span: Span
  readonly newestFirst: boolean
  readonly limit: number
  readonly kind: string | undefined
  readonly record: { readonly kind: string; readonly id: number } | null
  readonly author: string | undefined
  readonly user: Caller
}

async function wantedOf({ query, user }: RequestInput, uses: Uses): Promise<Wanted> {
  const { store } = uses
  const most = Number.MAX_SAFE_INTEGER
  const { from, until } = timesIn(query)
  const [base, head] = await Promise.all([store.base(), store.head()])
  const since = await mustBeKept(whole('since', query.since, base, most), uses)
  const before = whole('before', query.before, head + 1, most)
  return {
    span: {
      after: Math.max(since, from === undefined ? 0 : await store.lastBefore(from)),
      upTo: Math.min(before - 1, until === undefined ? head : await store.lastBefore(until), head),
    },
    newestFirst: query.sortOrder === 'desc',
    limit: whole('limit', query.limit, 100, mostEntries),
    kind: query.kind || undefined,
    record: recordOf(query.record, uses),
    author: query.user || undefined,
    user,
  }
}

function recordOf(text: string | undefined, { data, catalogue }: Uses): Wanted['record'] {
  if (text === undefined || text === '') return null
  const [, kind = '', name = ''] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (!catalogue.has(kind)) throw badRequest("'record' must be a collection and an id or name, such as servers/7.")
  const key = data.keyOf(kind)
  // Whether others have a record of a name is not told: one that is not there was never changed.
  const id = asId(name) ?? (key === null ? undefined : data.ids(kind as Kind, key, name)[0]) ?? 0
  return { kind, id }
}

/** The answer as it is sent: an entry at a time, a large one in slices; the page ends early when it gets long. */
async function* changesText(wanted: Wanted, services: Uses): AsyncGenerator<string> {
  const { store, workingSet } = services
  const { span, newestFirst } = wanted
  let next = newestFirst ? span.upTo + 1 : span.after
  let length = 0
  let shown = 0
  let looked = 0
  yield '{"response":['
  for await (const head of newestFirst ? headsBackwards(store, span) : headsForwards(store, span)) {
    if (length > longPage || shown === wanted.limit || looked === mostLooked) break
    looked += 1
    if (await isAsked(head, wanted, services)) {
      const changes = visible(head.revision, wanted, services)
      for await (const piece of entryText(shownHead(head, wanted.user, services), shown === 0, changes)) {
        length += piece.length
        yield piece
      }
      shown += 1
    }
    next = head.revision
    if (isLong()) await turn()
  }
  yield `],${JSON.stringify({ revision: workingSet.revision, next }).slice(1)}`
}

/** Whether an entry is one that is asked for; what the caller may not see of it does not count. */
async function isAsked(head: EntryHead, { author, record, user }: Wanted, services: Uses): Promise<boolean> {
  if (author !== undefined && shownHead(head, user, services).user !== author) return false
  if (record === null) return true
  const { store, data, catalogue } = services
  for await (const slice of store.changesOf(head.revision)) {
    const change = slice.find(({ kind, id }) => kind === record.kind && id === record.id)
    if (change) return seesChange(change, user, data, catalogue)
    if (isLong()) await turn()
  }
  return false
}

/** Of an entry that touched others' records only those changes are told that the caller may see. */
const shownHead = (head: EntryHead, user: Caller, { data }: Uses): EntryHead =>
  head.log.every((line) => seesLine(line, user, data)) ? head : { ...head, user: '', requestId: '', log: [] }

async function* entryText(
  { revision, time, user, id, requestId, log }: EntryHead,
  isFirst: boolean,
  changes: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  const lines = log.map(({ level, message }) => ({ level, message }))
  const head = JSON.stringify({ revision, time: zonedTime(time), user, id, requestId, log: lines })
  yield `${isFirst ? '' : ','}${head.slice(0, -1)},"changes":`
  yield* jsonArray(changes)
  yield '}'
}

/** What the caller may see of an entry's changes, in slices, secrets masked. */
async function* visible(
  revision: number,
  { kind, record, user }: Wanted,
  { store, catalogue, data }: Uses,
): AsyncGenerator<readonly object[]> {
  for await (const slice of store.changesOf(revision)) {
    yield slice
      .filter((change) => kind === undefined || change.kind === kind)
      .filter((change) => record === null || (change.kind === record.kind && change.id === record.id))
      .filter((change) => seesChange(change, user, data, catalogue))
      .map((change) => masked(change, catalogue, user))
    if (isLong()) await turn()
  }
}

function whole(name: string, value: string | undefined, fallback: number, most: number): number {
  if (value === undefined || value === '') return fallback
  if (!/^\d{1,15}$/.test(value) || Number(value) > most)
    throw badRequest(`'${name}' must be a whole number, at most ${most}.`)
  return Number(value)
}

/** Secrets are only said to have changed, and that to who may see them: who may write one could find out by guessing. What becomes secret with a change is hidden before it, too. */
export function masked({ kind, id, before, after }: Change, catalogue: RecordKinds, user: Caller): object {
  const fields = catalogue.has(kind) ? catalogue.of(kind).fields : {}
  const hide = (record: StoredRecord | null, other: StoredRecord | null, flags: readonly (StoredRecord | null)[]) => {
    if (record === null) return null
    const shown = Object.entries(record).map(([name, value]) => {
      const notes = fields[name]?.notes
      if (value === null || !notes || !flags.some((one) => one && isSecret(notes, one))) return [name, value]
      return [name, seesSecrets(user) && other !== null && !same(other[name], value) ? `${mask} (changed)` : mask]
    })
    return Object.fromEntries(shown)
  }
  return { kind, id, before: hide(before, null, [before, after]), after: hide(after, before, [after]) }
}
