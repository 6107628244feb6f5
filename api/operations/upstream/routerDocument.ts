import { amount, entries, member } from './shape.js'

/** How a router came to an answer, named as the API names them, with the router's own names. */
export const answerKinds = {
  staticRoute: 'staticRouteCount',
  miss: 'missCount',
  geo: 'geoCount',
  err: 'errCount',
  cz: 'czCount',
  dsr: 'dsrCount',
  deepCz: 'deepCzCount',
  fed: 'fedCount',
  regionalDenied: 'regionalDeniedCount',
  regionalAlternate: 'regionalAlternateCount',
} as const
export type AnswerKind = keyof typeof answerKinds

/** Answers counted since the router started. */
export type Counts = Readonly<Record<AnswerKind, number>>

/** A router's counts by the host name that was asked for. */
export interface RouterStats {
  readonly dns: ReadonlyMap<string, Counts>
  readonly http: ReadonlyMap<string, Counts>
  /** How many counters were unreadable and taken for 0. */
  readonly ignored: number
}

export const routerStatsPath = '/crs/stats'

/** Reads `/crs/stats`. Throws UpstreamFault when it has another shape; absent counters and maps are empty. */
export function readRouterStats(document: unknown): RouterStats {
  const stats = member(document, 'stats')
  entries(stats, 'statistics')
  let ignored = 0
  const readMap = (name: string) =>
    new Map(
      entries(member(stats, name) ?? {}, name).map(([fqdn, sent]) => {
        const { counts, unreadable } = readCounts(sent)
        ignored += unreadable
        return [fqdn, counts] as const
      }),
    )
  const [dns, http] = [readMap('dnsMap'), readMap('httpMap')]
  return { dns, http, ignored }
}

export const noCounts: Counts = Object.freeze(
  Object.fromEntries(Object.keys(answerKinds).map((kind) => [kind, 0])) as Record<AnswerKind, number>,
)

function readCounts(sent: unknown): { counts: Counts; unreadable: number } {
  const counts = { ...noCounts }
  let unreadable = 0
  for (const [kind, name] of kindNames) {
    const given = member(sent, name)
    const count = given === undefined ? 0 : amount(given)
    if (count === null) unreadable++
    else counts[kind] = count
  }
  return { counts, unreadable }
}

const kindNames = Object.entries(answerKinds) as [AnswerKind, string][]
