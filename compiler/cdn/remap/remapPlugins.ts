import type { CompileContext } from '../../core/defineFile.js'
import type { DeliveryService } from '../../data/model.js'
import { profileParameters } from '../parameters.js'
import { serviceFiles } from '../serviceFiles.js'
import { rewritesAtEdge, rewritesAtMid, serviceRef } from '../services.js'
import { cleaned, returnLines } from '../text.js'

/** One thing after the two URLs of a map line: a plugin with its parameters, or text as it is. */
export interface RemapItem {
  readonly plugin: string | null
  readonly params: readonly string[]
  readonly text: string | null
  /** White space that the field's older text has behind the item. */
  readonly after: string
  /** The file it needs, below the cache server's config directory. */
  readonly file: string | null
}

export interface RemapSubject extends Pick<CompileContext, 'data' | 'warn'> {
  readonly service: DeliveryService
  readonly type: string
  /** The cache server's major version. */
  readonly version: number
}

export interface EdgeFacts {
  /** The profile marks packets with a plugin of its own. */
  readonly dscpRemap: boolean
  /** A global plugin already takes the query string out of the cache key (cache servers up to 6). */
  readonly globalCacheurl: boolean
}

/** The forms of config-files.md §4.4 and §5.5 begin with this version. */
export const modernVersion = 8

/** What an edge does with requests for a service (§4.1 rows 1 to 11; §4.4 for the order on modern versions). */
export function edgeItems(subject: RemapSubject, facts: EdgeFacts): RemapItem[] {
  const { service, type, version } = subject
  const own = ownParams(subject)
  const dscp = facts.dscpRemap
    ? plugin('dscp_remap.so', [String(service.dscp)])
    : pluginWith(`dscp/set_dscp_${service.dscp}.config`, 'header_rewrite.so')
  const rewrite = rewritesAtEdge(service, type)
    ? pluginWith(serviceFiles(service.xmlId).edgeRewrite, 'header_rewrite.so')
    : null
  const dropQstring = service.qstringIgnore === 2 ? pluginWith('drop_qstring.config', 'regex_remap.so') : null
  const pacing = (service.fqPacingRate ?? 0) > 0 ? plugin('fq_pacing.so', [`--rate=${service.fqPacingRate}`]) : null
  const range = edgeRange(subject, own)
  const text = rawItems(subject, range)

  if (version >= modernVersion) {
    const start = [dscp, rewrite, dropQstring, signing(subject, own), regexRules(subject)]
    return present([...start, cacheKey(subject, own), overrides(subject), ...text.range, pacing, ...text.items])
  }
  const start = [dscp, rewrite, signing(subject, own), dropQstring]
  const key = legacyCacheKey(subject, facts.globalCacheurl)
  return present([...start, ...key, overrides(subject), regexRules(subject), ...text.range, ...text.items, pacing])
}

/** What a mid does with requests for an origin (§4.2). */
export function midItems(subject: RemapSubject): RemapItem[] {
  const { service, type, version } = subject
  const own = ownParams(subject)
  const rewrite = rewritesAtMid(service, type)
    ? pluginWith(serviceFiles(service.xmlId).midRewrite, 'header_rewrite.so')
    : null
  const key = version >= modernVersion ? [cacheKey(subject, own)] : legacyCacheKey(subject, false)
  const handling = service.rangeRequestHandling
  const rangeParameters = version >= modernVersion ? rangeParams(service, own) : none
  const range = handling === 2 || handling === 3 ? plugin('cache_range_requests.so', rangeParameters) : null
  return present([rewrite, ...key, overrides(subject), range])
}

/** Most services have few of the things a service can have. */
type Maybe = RemapItem | null

const present = (items: readonly Maybe[]): RemapItem[] => items.filter((item) => item !== null)

const none: readonly never[] = Object.freeze([])

function plugin(name: string, params: readonly string[], after = ''): RemapItem {
  return { plugin: name, params, text: null, after, file: null }
}

/** A plugin whose first parameter is a file. */
function pluginWith(file: string, name: string, params: readonly string[] = none, option = ''): RemapItem {
  return {
    plugin: name,
    params: params.length > 0 ? [option + file, ...params] : [option + file],
    text: null,
    after: '',
    file,
  }
}

/** The plugin refuses a file without a single rule, and with it all of remap.config. */
function regexRules({ service, warn }: RemapSubject): Maybe {
  if (!service.regexRemap) return null
  const rules = returnLines(service.regexRemap).filter((line) => /^\s*[^\s#]\S*\s+\S/.test(line))
  if (rules.length > 0) return pluginWith(serviceFiles(service.xmlId).regexRemap, 'regex_remap.so')
  warn('value-ignored', serviceRef(service), `the regex remap of ${service.xmlId} holds no rule; it is left out`)
  return null
}

function signing({ service }: RemapSubject, own: OwnParams): Maybe {
  if (service.signingAlgorithm === 'url_sig') {
    return pluginWith(serviceFiles(service.xmlId).urlSig, 'url_sig.so', own('url_sig'))
  }
  if (service.signingAlgorithm === 'uri_signing') {
    return pluginWith(serviceFiles(service.xmlId).uriSigning, 'uri_signing.so', own('uri_signing'))
  }
  return null
}

const ignoreQuery = [
  '--separator=',
  '--remove-all-params=true',
  '--remove-path=true',
  '--capture-prefix-uri=/^([^?]*)/$1/',
]

/**
 * Ranges are cached apart from each other by the range plugin, which would put the query string back into the
 * key; so where the key ignores it the key names the range and the plugin is told to leave it alone.
 */
const keyNamesRange = ({ qstringIgnore, rangeRequestHandling: handling }: DeliveryService): boolean =>
  qstringIgnore === 1 && (handling === 2 || handling === 3)

function rangeParams(service: DeliveryService, own: OwnParams): readonly string[] {
  const params = own('cache_range_requests')
  const told = params.includes('--no-modify-cachekey') || params.includes('-n')
  return keyNamesRange(service) && !told ? ['--no-modify-cachekey', ...params] : params
}

const ignoredQuery = (service: DeliveryService): readonly string[] =>
  keyNamesRange(service) ? [...ignoreQuery, '--include-headers=Range'] : ignoreQuery

/** Everything about the cache key in one invocation: the cache server does not honour a second one (§4.1, §4.4). */
function cacheKey(subject: RemapSubject, own: OwnParams): Maybe {
  if (subject.service.cacheurl) noteCacheurl(subject)
  const ignored = subject.service.qstringIgnore === 1 ? ignoredQuery(subject.service) : none
  const params =
    subject.service.profileId === null ? ignored : [...ignored, ...cachekeyParams(subject), ...own('cachekey')]
  return params.length > 0 ? plugin('cachekey.so', params) : null
}

/** The same up to version 7, whose predecessors rewrote the key with a plugin that is gone since. */
function legacyCacheKey(subject: RemapSubject, globalCacheurl: boolean): RemapItem[] {
  const { service, version } = subject
  const ignores = service.qstringIgnore === 1 && !(globalCacheurl && version <= 6)
  const params = cachekeyParams(subject)
  const items: RemapItem[] = []
  if (ignores && version < 6) items.push(pluginWith('cacheurl_qstring.config', 'cacheurl.so'))
  if (ignores && version >= 6) items.push(plugin('cachekey.so', [...ignoredQuery(service), ...params]))
  if (service.cacheurl) {
    if (version <= 6) items.push(pluginWith(serviceFiles(service.xmlId).cacheurl, 'cacheurl.so'))
    else noteCacheurl(subject)
  }
  if (params.length > 0 && !(ignores && version >= 6)) items.push(plugin('cachekey.so', params))
  return items
}

function noteCacheurl({ service, version, warn }: RemapSubject): void {
  const text = `cache server ${version} has no cacheurl plugin; the cacheurl of ${service.xmlId} is left out`
  warn('unsupported-by-version', serviceRef(service), text)
}

function cachekeyParams({ data, service, warn }: RemapSubject): readonly string[] {
  if (service.profileId === null) return none
  return profileParameters(data, service.profileId, 'cachekey.config')
    .toSorted((a, b) => (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1))
    .map(({ name, value }) =>
      cleaned({ warn }, serviceRef(service), 'a cachekey.config parameter', `--${name}=${value}`),
    )
}

/** Configuration of the cache server that the service's profile overrides for its requests (§4.1 row 7). */
function overrides({ data, service, warn }: RemapSubject): Maybe {
  if (service.profileId === null) return null
  const params = profileParameters(data, service.profileId, 'records.config').flatMap(({ name, value }) => {
    const [, key] = /^CONFIG\s+(\S+)/.exec(name) ?? []
    const [, setting] = /^(?:INT|FLOAT|STRING)\s+(.+)$/s.exec(value) ?? []
    if (key === undefined || setting === undefined) return []
    return [cleaned({ warn }, serviceRef(service), 'a records.config parameter', `${key}=${setting.trim()}`)]
  })
  return params.length > 0 ? plugin('conf_remap.so', params.toSorted()) : null
}

function edgeRange({ service, version, warn }: RemapSubject, own: OwnParams): readonly RemapItem[] {
  const modern = version >= modernVersion
  const ranges = (after: string) => plugin('cache_range_requests.so', modern ? rangeParams(service, own) : none, after)
  switch (service.rangeRequestHandling) {
    case 1: {
      const option = modern ? '--config=' : ''
      return [pluginWith('bg_fetch.config', 'background_fetch.so', own('background_fetch'), option)]
    }
    case 2:
      return [ranges(modern ? '' : ' ')]
    case 3: {
      if (modern) return [plugin('slice.so', own('slice')), ranges('')]
      const text = `cache server ${version} has no slice plugin; ranges of ${service.xmlId} are cached without it`
      warn('unsupported-by-version', serviceRef(service), text)
      return [ranges(' ')]
    }
    default:
      return none
  }
}

/** The service's raw text, and the range handling before it unless the text says `__RANGE_DIRECTIVE__`, where it goes then. */
function rawItems(
  { service, warn }: RemapSubject,
  range: readonly RemapItem[],
): Record<'range' | 'items', readonly RemapItem[]> {
  if (!service.remapText) return { range, items: none }
  const parts = rawText(service, { warn })
    .split('__RANGE_DIRECTIVE__')
    .map((part) => part.trim())
  const texts = parts.map((text): readonly RemapItem[] =>
    text === '' ? none : [{ plugin: null, params: none, text, after: '', file: null }],
  )
  if (texts.length === 1) return { range, items: texts[0]! }
  return { range: none, items: texts.flatMap((text, i) => (i === 1 ? [...range, ...text] : text)) }
}

/** The raw remap text of a service on one line. */
export function rawText(service: DeliveryService, { warn }: Pick<CompileContext, 'warn'>): string {
  return cleaned({ warn }, serviceRef(service), 'the remap text', service.remapText ?? '').trim()
}

type OwnParams = (plugin: string) => readonly string[]

const noParams: OwnParams = () => none

/** Parameters that the service's profile adds to a plugin: `<plugin>.pparam` of remap.config (§4.4). */
function ownParams({ data, service, version, warn }: RemapSubject): OwnParams {
  if (service.profileId === null || version < modernVersion) return noParams
  const parameters = profileParameters(data, service.profileId, 'remap.config')
  return (plugin) =>
    parameters
      .filter(({ name }) => name === `${plugin}.pparam`)
      .map(({ value }) => cleaned({ warn }, serviceRef(service), 'a remap.config parameter', value))
}
