import { Type } from '@sinclair/typebox'
import type { Version } from '../config/apiVersions.js'
import { badRequest } from '../config/errors.js'
import { shownTime, zonedTime } from '../config/times.js'
import { envelope } from '../flow/pieces.js'
import { isLong, turn } from '../flow/turns.js'
import { seesLine } from '../journal/tenancy.js'
import type { Endpoint, RequestInput, Result } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { timesIn, timesQuery } from '../operations/periods.js'
import { numberQuery, textQuery } from '../operations/queryParameters.js'
import type { LogQuery } from '../store/entries.js'
import { linesPerEntry } from '../store/entries.js'
import type { LoggedLine, Store } from '../store/store.js'

type Uses = Pick<Parts, 'data' | 'now' | 'store'>

const day = 24 * 3600 * 1000
const longestName = 255
const seenCookie = 'last_seen_log'
/** Lines that are read from the store at a time. */
const page = 500
const mostCounted = 100_000
/** Lines that are passed over for one answer: of a longer log what is asked for is asked by a shorter time. */
const mostLooked = 500_000

const entries = Type.Array(
  Type.Object({
    id: Type.Integer(),
    ticketNum: Type.Union([Type.Integer(), Type.Null()]),
    level: Type.String(),
    lastUpdated: Type.String(),
    user: Type.String(),
    message: Type.String(),
  }),
)

const lineQuery = {
  limit: numberQuery('At most so many lines.'),
  user: textQuery('Only lines of this user.'),
  level: textQuery('Only lines of this level.'),
  text: textQuery('Only lines that have this text in them, in whatever case.'),
  record: textQuery('Only lines that name a record so: its name, or its id.'),
  ...timesQuery,
  before: numberQuery('Only lines with a smaller id: the next page.'),
}

/** The change log. Reading it notes when, in a cookie, and `newcount` counts what came since (beyond.md §1.7). */
export const logEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/logs',
    role: 'any',
    reach: 'tenants',
    summary: 'The change log, newest first: 30 days and 1,000 lines unless asked otherwise',
    query: { days: numberQuery('How many days back.'), ...lineQuery },
    response: entries,
    live: (input) => logLines(input, uses, input.query.days),
  },
  {
    method: 'GET',
    path: '/logs/:days/days',
    role: 'any',
    reach: 'tenants',
    summary: 'The change log of so many days',
    query: lineQuery,
    response: entries,
    live: (input) => logLines(input, uses, input.params.days),
  },
  {
    method: 'GET',
    path: '/logs/newcount',
    role: 'any',
    reach: 'tenants',
    summary: 'How many lines came since this client last read the log',
    response: Type.Object({ newLogcount: Type.Integer() }),
    live: async ({ headers, version, user }) => {
      const { store, now, data } = uses
      const seen = new RegExp(`(?:^|; )${seenCookie}=([0-9TZ:.-]{20,30})(?:;|$)`).exec(headers.cookie ?? '')?.[1]
      const count =
        seen === undefined || Number.isNaN(Date.parse(seen))
          ? 0
          : await countOf(
              logPages(store, { since: justAfter(seen), limit: mostCounted }, (line) => seesLine(line, user, data)),
            )
      const newLogcount = version === '1.2' ? String(count) : count
      return { response: { newLogcount }, headers: seen === undefined ? noteSeen(now()) : {} }
    },
  },
]

async function logLines(
  { query, version, user }: RequestInput,
  { store, now, data }: Uses,
  asked: string | undefined,
): Promise<Result> {
  const span = wholeNumber('days', asked) ?? 30
  const limit = wholeNumber('limit', query.limit) ?? (asked === undefined ? 1000 : 1_000_000)
  const before = wholeNumber('before', query.before)
  // Stores find lines by some of these texts as keys, whose length is bounded.
  for (const name of ['user', 'level', 'text', 'record'] as const) {
    if ((query[name]?.length ?? 0) > longestName)
      throw badRequest(`'${name}' must have at most ${longestName} characters.`)
  }
  const days = new Date(Math.max(0, now().getTime() - Math.min(span, 36_500) * day)).toISOString()
  const { from, until } = timesIn(query)
  const end = until === undefined ? Number.POSITIVE_INFINITY : ((await store.lastBefore(until)) + 1) * linesPerEntry
  const first = Math.min(before ?? Number.POSITIVE_INFINITY, end)
  const input = {
    since: from !== undefined && (asked === undefined || from > days) ? from : days,
    limit,
    ...(Number.isFinite(first) ? { before: first } : {}),
    ...(query.user ? { user: query.user } : {}),
    ...(query.level ? { level: query.level } : {}),
  }
  const isWanted = wanted(query)
  const lines = logPages(store, input, (line) => isWanted(line) && seesLine(line, user, data))
  return { pieces: envelope(shownLines(lines, version)), headers: noteSeen(now()) }
}

/** Whether a line has the text that is asked for, and names the record. */
function wanted({ text = '', record = '' }: RequestInput['query']): (line: LoggedLine) => boolean {
  const [part, name] = [text.toLowerCase(), record.toLowerCase()]
  if (part === '' && name === '') return () => true
  return ({ message }) => {
    const line = message.toLowerCase()
    return line.includes(part) && (name === '' || namesRecord(line, name))
  }
}

/** As a word of its own: `edge-1` is not named by `edge-10`. */
function namesRecord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const around = [line[at - 1], line[at + name.length]]
    if (around.every((one) => one === undefined || !partOfName.test(one))) return true
  }
  return false
}

const partOfName = /[\p{L}\p{N}_-]/u

/** However many lines are asked for, the store gives them in pages, and each is sent before the next is read. */
async function* logPages(
  store: Store,
  query: LogQuery,
  sees: (line: LoggedLine) => boolean,
): AsyncGenerator<readonly LoggedLine[]> {
  let { before, limit: left } = query
  let looked = 0
  for (let limit = Math.min(left, page); left > 0 && looked < mostLooked; ) {
    const lines = await store.log({ ...query, limit, ...(before === undefined ? {} : { before }) })
    const seen = lines.filter(sees).slice(0, left)
    yield seen
    if (lines.length < limit) return
    before = lines.at(-1)!.id
    looked += lines.length - seen.length
    left -= seen.length
    // Where lines are not the caller's, how many more it takes is not known: whole pages from then on.
    limit = seen.length < lines.length ? page : Math.min(left, page)
    if (isLong()) await turn()
  }
}

async function countOf(pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0
  for await (const { length } of pages) count += length
  return count
}

async function* shownLines(pages: AsyncIterable<readonly LoggedLine[]>, version: Version) {
  const isNative = version === '1.3'
  for await (const lines of pages) {
    yield lines.map(({ id, level, message, time, user, ticketNum }) => ({
      id: isNative ? id : String(id),
      ticketNum,
      level,
      lastUpdated: isNative ? zonedTime(time) : shownTime(time),
      user,
      message,
    }))
  }
}

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  if (!/^\d{1,9}$/.test(value)) throw badRequest(`'${name}' must be a whole number.`)
  return Number(value)
}

const noteSeen = (now: Date) => ({
  'set-cookie': `${seenCookie}=${now.toISOString()}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax`,
})

/** Lines of the very moment the log was read were read, too. */
const justAfter = (iso: string): string => new Date(Date.parse(iso) + 1).toISOString()
