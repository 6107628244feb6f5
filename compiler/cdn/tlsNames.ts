import type { CompileContext } from '../core/defineFile.js'
import type { Parameter } from '../data/model.js'
import { fillHost, requestHosts } from './hosts.js'
import { definePerService, hasOrigin, isMid, typeName } from './services.js'
import { yamlQuoted } from './text.js'

/** How an edge speaks TLS under one of the names it is asked for (config-files.md §6.21). */
export interface TlsName {
  readonly fqdn: string
  readonly http2: boolean
  /** YAML scalars in quotes, oldest version first. */
  readonly versions: string
}

/** By xml id, then set; the first service with a name decides. Mids are asked by other caches, without TLS. */
export function tlsNames({ data, subject, warn }: CompileContext<'servers'>): TlsName[] {
  if (isMid(typeName(data, subject.typeId))) return []
  const assigned = data.get('deliveryServiceServers', subject.id)?.deliveryServices ?? []
  const services = tlsServices({ data, warn }, assigned, {})
  const names = new Map<string, TlsName>()
  for (const { hosts, http2, versions } of services.sort((a, b) => (a.xmlId < b.xmlId ? -1 : 1))) {
    for (const host of hosts) {
      const fqdn = fillHost(host, subject.hostName)
      if (!names.has(fqdn)) names.set(fqdn, { fqdn: yamlQuoted(fqdn), http2, versions })
    }
  }
  return [...names.values()]
}

const tlsServices = definePerService('tlsNames', ({ data, warn }, id) => {
  const service = data.get('deliveryServices', id)
  const type = service ? typeName(data, service.typeId) : ''
  if (!service || !hasOrigin(type)) return null
  const hosts = requestHosts(data, service, type, { warn }).map(({ name }) => name)
  const parameters = data.by('parameters', 'profileFile', `${service.profileId ?? 0}/parent.config`)
  const find = (name: string) => parameters.find((parameter) => parameter.name === name)
  const listed = find('tls_versions')
  const versions = listed ? listedVersions(listed, warn) : everyVersion
  return { xmlId: service.xmlId, hosts, http2: find('enable_h2')?.value === 'true', versions }
})

function listedVersions(listed: Parameter, warn: CompileContext['warn']): string {
  const wanted = listed.value.split(',').map((version) => version.trim())
  const known = Object.entries(tlsVersions).filter(([number, name]) => wanted.includes(number) || wanted.includes(name))
  if (known.length < wanted.length) {
    const text = `tls_versions names a version that is not one of ${Object.keys(tlsVersions).join(', ')}`
    warn('value-ignored', { kind: 'parameters', id: listed.id, name: listed.name }, text)
  }
  return known.length > 0 ? known.map(([, name]) => yamlQuoted(name)).join() : everyVersion
}

const tlsVersions = { '1.0': 'TLSv1', '1.1': 'TLSv1_1', '1.2': 'TLSv1_2', '1.3': 'TLSv1_3' }

const everyVersion = Object.values(tlsVersions).map(yamlQuoted).join()
