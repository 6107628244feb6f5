import { RE2JS } from 're2js'
import type { AnswerKind, Counts, RouterStats } from './routerDocument.js'
import { answerKinds, noCounts } from './routerDocument.js'

/** How routers came to their answers, each kind in percent of all; all zero when they gave none. */
export type Routing = Readonly<Record<AnswerKind, number>>

/** The answers of all routers over both maps. */
export const routing = (routers: readonly RouterStats[]): Routing =>
  shares(routers.flatMap(({ dns, http }) => [...dns.values(), ...http.values()]))

/** Which of the routers' answers are those for one delivery service. */
export interface ServiceAnswers {
  /** The name of the service's type: DNS ones are counted apart from HTTP ones. */
  readonly type: string
  /** The service's host patterns; a name that one of them is found in belongs to the service. */
  readonly patterns: readonly string[]
}

/** The answers for one service. A pattern that cannot be read is left out, with a warning. */
export function serviceRouting(
  routers: readonly RouterStats[],
  { type, patterns }: ServiceAnswers,
): { routing: Routing; warnings: string[] } {
  const { tests, warnings } = compiled(patterns)
  const counts = routers.flatMap(({ dns, http }) => {
    const map = type.startsWith('DNS') ? dns : http
    return [...map].flatMap(([fqdn, counts]) => (tests.some((test) => test.test(fqdn)) ? [counts] : []))
  })
  return { routing: shares(counts), warnings }
}

/** Up to 1.2 a summary of CDNs lists only these kinds, and one of a service three more. */
export const presentRouting = {
  cdns: { '1.1': only(['staticRoute', 'miss', 'geo', 'err', 'cz', 'dsr']) },
  service: {
    '1.1': only(['staticRoute', 'miss', 'geo', 'err', 'cz', 'dsr']),
    '1.2': only(['staticRoute', 'miss', 'geo', 'err', 'cz', 'dsr', 'fed', 'regionalAlternate', 'regionalDenied']),
  },
}

const kinds = Object.keys(answerKinds) as AnswerKind[]

function shares(all: readonly Counts[]): Routing {
  const sums = { ...noCounts }
  for (const counts of all) for (const kind of kinds) sums[kind] += counts[kind]
  const total = kinds.reduce((sum, kind) => sum + sums[kind], 0)
  for (const kind of kinds) sums[kind] = total > 0 ? (sums[kind] / total) * 100 : 0
  return sums
}

/** In time linear in the name, whatever the pattern: operators write patterns, routers send names. */
function compiled(patterns: readonly string[]): { tests: RE2JS[]; warnings: string[] } {
  const warnings: string[] = []
  const tests = patterns.flatMap((pattern) => {
    try {
      return [RE2JS.compile(pattern)]
    } catch {
      warnings.push(`The host pattern ${pattern} cannot be read; answers for it are not counted.`)
      return []
    }
  })
  return { tests, warnings }
}

function only<K extends AnswerKind>(names: readonly K[]): (routing: Routing) => Pick<Routing, K> {
  return (routing) => Object.fromEntries(names.map((name) => [name, routing[name]])) as Pick<Routing, K>
}
