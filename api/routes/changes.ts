import { Type } from '@sinclair/typebox'
import { same } from '../../compiler/data/kindTable.js'
import { badRequest } from '../config/errors.js'
import { zonedTime } from '../config/times.js'
import { jsonArray } from '../flow/pieces.js'
import { isLong, turn } from '../flow/turns.js'
import type { RecordKinds } from '../journal/kinds.js'
import { seesChange, seesLine } from '../journal/tenancy.js'
import type { Endpoint } from '../operations/endpoint.js'
import { mustBeKept } from '../operations/journalKeep.js'
import type { Parts } from '../operations/parts.js'
import { numberQuery, textQuery } from '../operations/queryParameters.js'
import type { Caller } from '../schema/privileges.js'
import { seesSecrets } from '../schema/privileges.js'
import { isSecret, mask } from '../schema/secrecy.js'
import type { Change, EntryHead, StoredRecord } from '../store/store.js'

type Uses = Pick<Parts, 'catalogue' | 'data' | 'store' | 'workingSet'>

const mostEntries = 1000
const headsAtOnce = 100
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
    live: async ({ query, user }) => {
      const since = await mustBeKept(
        whole('since', query.since, await uses.store.base(), Number.MAX_SAFE_INTEGER),
        uses,
      )
      const limit = whole('limit', query.limit, 100, mostEntries)
      return { pieces: changesText({ since, limit, kind: query.kind, user }, uses) }
    },
  },
]

interface Wanted {
  readonly since: number
  readonly limit: number
  readonly kind: string | undefined
  readonly user: Caller
}

/** The answer as it is sent: an entry at a time, a large one in slices; the page ends early when it gets long. */
async function* changesText({ since, limit, kind, user }: Wanted, services: Uses): AsyncGenerator<string> {
  const { store, workingSet } = services
  let next = since
  let length = 0
  yield '{"response":['
  for (let left = limit; left > 0; ) {
    const heads = await store.headsAfter(next, Math.min(left, headsAtOnce))
    for (const head of heads) {
      if (length > longPage) break
      const text = entryText(
        shownHead(head, user, services),
        next === since,
        visible(head.revision, { kind, user }, services),
      )
      for await (const piece of text) {
        length += piece.length
        yield piece
      }
      next = head.revision
      left -= 1
      if (isLong()) await turn()
    }
    if (heads.length < headsAtOnce || length > longPage) break
  }
  yield `],${JSON.stringify({ revision: workingSet.revision, next }).slice(1)}`
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
  { kind, user }: Pick<Wanted, 'kind' | 'user'>,
  { store, catalogue, data }: Uses,
): AsyncGenerator<readonly object[]> {
  for await (const slice of store.changesOf(revision)) {
    yield slice
      .filter((change) => (!kind || change.kind === kind) && seesChange(change, user, data, catalogue))
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
