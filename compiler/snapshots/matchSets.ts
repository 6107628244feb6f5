import { isDns } from '../cdn/services.js'
import type { Reader } from '../core/reader.js'
import type { DeliveryService } from '../data/model.js'

/** The conditions of one set hold together; a router tries the sets in order. */
export interface MatchSet {
  readonly setNumber: number
  readonly protocol: 'DNS' | 'HTTP'
  readonly matches: readonly { readonly regex: string; readonly matchType: string }[]
}

/** The match sets of a delivery service by set number; only sets that have something to match. */
export function matchSets(data: Reader, service: DeliveryService, type: string): MatchSet[] {
  const sets = new Map<number, { regex: string; matchType: string }[]>()
  for (const { typeId, pattern, setNumber } of regexes(data, service)) {
    const matchType = /^(HOST|PATH|HEADER)_REGEXP$/.exec(data.get('types', typeId)?.name ?? '')?.[1]
    if (matchType === undefined) continue
    const matches = sets.get(setNumber)
    if (matches) matches.push({ regex: pattern, matchType })
    else sets.set(setNumber, [{ regex: pattern, matchType }])
  }
  const protocol = isDns(type) ? 'DNS' : 'HTTP'
  return [...sets].map(([setNumber, matches]) => ({ setNumber, protocol, matches }))
}

/** The domains below which a delivery service is: `.*\.news\..*` is `news` in the CDN's domain. */
export function domains(sets: readonly MatchSet[], cdnDomain: string): string[] {
  return sets
    .filter(({ setNumber }) => setNumber === 0)
    .flatMap(({ matches }) => matches.filter(({ matchType }) => matchType === 'HOST'))
    .map(({ regex }) => (regex.endsWith('.*') ? `${bareHost(regex)}.${cdnDomain}` : bareHost(regex)))
}

/** What is left of a host pattern without its escapes and the any-text around it. */
export function bareHost(pattern: string): string {
  return pattern
    .replaceAll('\\', '')
    .replaceAll('.*', '')
    .replace(/^\.+|\.+$/g, '')
}

function regexes(data: Reader, service: DeliveryService) {
  return data
    .by('deliveryServiceRegexes', 'deliveryServiceId', service.id)
    .slice()
    .sort((a, b) => a.setNumber - b.setNumber || a.id - b.id)
}
