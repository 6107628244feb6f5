import type { CompileContext } from '../../core/defineFile.js'
import type { DeliveryService } from '../../data/model.js'
import { serviceRef } from '../services.js'

/** How often and on which answers another parent is tried. */
export interface Retry {
  readonly mode: string
  readonly maxSimple: string
  readonly maxUnavailable: string
  /** Answers, as the parameter has them; `null` when it has none. */
  readonly simple: string | null
  readonly unavailable: string | null
}

/** What a delivery service's profile says about choosing parents (config-files.md §5.1, §5.5). */
export interface ParentSettings {
  readonly algorithm: string
  readonly qstringHandling: string | null
  readonly exhaustPrimaries: boolean
  /** `null` when nothing asks for retries on this tier. */
  readonly retry: Retry | null
}

/** Where a cache stands on the way of a service's requests: next to clients, between caches, next to the origin. */
export type Tier = 'first' | 'inner' | 'last'

/** Ways to choose among parents that the cache server knows. */
export const algorithms: readonly string[] = ['consistent_hash', 'latched', 'strict', 'true', 'false']

/**
 * A setting is looked for with the tier's prefix (`last.parent_retry`), on the last tier of a multi-site service
 * also under `mso.`.
 */
export function parentSettings(
  { data, warn }: Pick<CompileContext, 'data' | 'warn'>,
  service: DeliveryService,
  tier: Tier,
): ParentSettings {
  const multiSite = tier === 'last' && service.multiSiteOrigin
  if (service.profileId === null && !multiSite) return usual
  const own = new Map<string, string>()
  if (service.profileId !== null) {
    const parameters = data.by('parameters', 'profileFile', `${service.profileId}/parent.config`)
    for (const { name, value } of parameters.toReversed()) own.set(name, value.trim())
  }
  const find = (name: string) => own.get(`${tier}.${name}`) ?? (multiSite ? own.get(`mso.${name}`) : undefined)
  const valid = (name: string, fallback: string, test: (value: string) => boolean): string => {
    const value = find(name)
    if (value === undefined || test(value)) return value ?? fallback
    const text = `the parent.config parameter ${name} of ${service.xmlId} is not valid${fallback && `; ${fallback} is used`}`
    warn('value-ignored', serviceRef(service), text)
    return fallback
  }
  const asksForRetries = multiSite || own.has(`${tier}.parent_retry`)
  return {
    algorithm: valid('algorithm', 'consistent_hash', (value) => algorithms.includes(value)),
    qstringHandling: own.get('psel.qstring_handling') ?? null,
    exhaustPrimaries: own.has('try_all_primaries_before_secondary'),
    retry: asksForRetries ? retry(valid, find) : null,
  }
}

/** Of services without a profile, which most are. */
const usual: ParentSettings = {
  algorithm: 'consistent_hash',
  qstringHandling: null,
  exhaustPrimaries: false,
  retry: null,
}

function retry(
  valid: (name: string, fallback: string, test: (value: string) => boolean) => string,
  find: (name: string) => string | undefined,
): Retry | null {
  const isCount = (value: string) => /^\d{1,4}$/.test(value)
  const codes = (name: string, shape: RegExp) => valid(name, '', (value) => shape.test(value)) || null
  // An empty value turns retries off.
  if (find('parent_retry') === '') return null
  return {
    mode: valid('parent_retry', 'both', (value) =>
      ['both', 'simple_retry', 'unavailable_server_retry'].includes(value),
    ),
    maxSimple: valid('max_simple_retries', '1', isCount),
    maxUnavailable: valid('max_unavailable_server_retries', '1', isCount),
    simple: codes('simple_server_retry_responses', /^(?:"?4\d\d(?:,4\d\d)*"?)?$/),
    unavailable: codes('unavailable_server_retry_responses', /^(?:"?5\d\d(?:,5\d\d)*"?)?$/),
  }
}
