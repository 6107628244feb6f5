import type { CompileContext } from '../core/defineFile.js'
import type { Range } from './addresses.js'
import { coalesced, parseRange } from './addresses.js'
import { isMid, typeName } from './services.js'
import { oneLine } from './text.js'
import { childServers } from './topology.js'

/** Who may ask a cache for what (config-files.md §6.6, §6.7); `ip_allow.config` and `ip_allow.yaml` lay it out. */
export interface ClientAccess {
  /** Addresses that may use every method: the machine itself and those that may purge. */
  readonly trusted: readonly string[]
  /** On mids: the caches and monitors that send them requests, IPv4 then IPv6; `null` on edges, which serve anyone. */
  readonly children: readonly Range[] | null
}

/** What only the machine itself and those that may purge do on mids; to deny it to others is to allow them the rest. */
export const keptFromChildren = ['PUSH', 'PURGE']

/** Private nets that mids also let in. */
export const privateNets = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

export function clientAccess(context: CompileContext<'servers'>): ClientAccess {
  const { data, subject } = context
  const trusted = ['127.0.0.1', '::1', ...purgers(context)]
  if (!isMid(typeName(data, subject.typeId))) return { trusted, children: null }
  const setting = (name: string, fallback: number) => numberOf(context, name, fallback)
  const servers = childServers(data, subject.cdnId, subject.cachegroupId)
  const ranges = servers.flatMap((server) =>
    [server.ipAddress ?? '', server.ip6Address ?? ''].flatMap((address) => {
      if (address === '') return []
      const range = parseRange(address)
      if (range) return [range]
      const text = `${oneLine(address)} of ${server.hostName} is not an address; it is not let in`
      context.warn('value-ignored', { kind: 'servers', id: server.id, name: server.hostName }, text)
      return []
    }),
  )
  const of = (family: 4 | 6) => ranges.filter((range) => range.family === family)
  const v4 = { length: setting('coalesce_masklen_v4', 24), number: setting('coalesce_number_v4', 5) }
  const v6 = { length: setting('coalesce_masklen_v6', 48), number: setting('coalesce_number_v6', 5) }
  return { trusted, children: [...coalesced(of(4), v4), ...coalesced(of(6), v6)] }
}

/** The values of `purge_allow_ip`, which may repeat and may be comma lists. */
function purgers({ data, subject, warn }: CompileContext<'servers'>): string[] {
  return data
    .by('parameters', 'profileFile', `${subject.profileId}/ip_allow.config`)
    .filter(({ name }) => name === 'purge_allow_ip')
    .flatMap((parameter) =>
      parameter.value.split(',').flatMap((part) => {
        const value = part.trim()
        if (value === '') return []
        if (parseRange(value)) return [value]
        const said = parameter.secure ? 'value of a secure purge_allow_ip' : `purge_allow_ip ${oneLine(value)}`
        const text = `the ${said} is not an address, net or range`
        warn('value-ignored', { kind: 'parameters', id: parameter.id, name: parameter.name }, text)
        return []
      }),
    )
}

function numberOf({ data, subject, warn }: CompileContext<'servers'>, name: string, fallback: number): number {
  const parameter = data
    .by('parameters', 'profileFile', `${subject.profileId}/ip_allow.config`)
    .find((parameter) => parameter.name === name)
  if (!parameter) return fallback
  const value = parameter.value.trim()
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value)
  const text = `${name} is not a number above 0; ${fallback} is used`
  warn('value-ignored', { kind: 'parameters', id: parameter.id, name }, text)
  return fallback
}
