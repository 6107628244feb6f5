import type { Parameter } from '../../compiler/data/model.js'
import type { ChainPorts } from './chainServices.js'

type LinkedParameter = Parameter & { readonly profiles: readonly number[] }

const global = 1
const edge = 2
const mid = 3
const pristine = 4
const modernTls = 6
const caches = [edge, mid]

/**
 * The parameters of the chain's profiles: what nothing flows without. Only files that no other names are given a place;
 * the rest is for the listing to find.
 */
export function chainParameters(ports: ChainPorts): readonly LinkedParameter[] {
  const rows = [
    row(global, 'global', 'tm.toolname', 'Edgewright'),
    row(global, 'global', 'tm.url', 'https://edgewright.test'),
    ...caches.flatMap((profile) => [
      row(profile, 'package', 'trafficserver', '9.2.5'),
      row(profile, 'remap.config', 'location', '/opt/trafficserver/etc/trafficserver'),
      row(profile, 'regex_revalidate.config', 'location', '/opt/trafficserver/etc/trafficserver'),
      row(profile, 'plugin.config', 'regex_revalidate.so', '--config regex_revalidate.config'),
      row(profile, 'storage.config', 'Drive_Prefix', '/dev/sd'),
      row(profile, 'storage.config', 'Drive_Letters', 'b'),
      row(profile, 'storage.config', 'RAM_Drive_Prefix', '/dev/ram'),
      row(profile, 'storage.config', 'RAM_Drive_Letters', '0'),
    ]),
    row(edge, 'ssl_multicert.config', 'location', '/opt/trafficserver/etc/trafficserver'),
    // An edge answers for its services only; a mid also for origins that have no line of their own.
    row(edge, 'records.config', 'CONFIG proxy.config.url_remap.remap_required', 'INT 1'),
    row(mid, 'records.config', 'CONFIG proxy.config.url_remap.remap_required', 'INT 0'),
    // The usual rule would send requests to port 80 of the origin, which an origin in a test cannot have.
    row(edge, 'drop_qstring.config', 'content', `/([^?]+) $s://$t:${ports.origin.plain}/$1`),
    row(modernTls, 'parent.config', 'tls_versions', 'TLSv1_3'),
    row(pristine, 'remap.config', 'url_sig.pparam', 'pristineurl'),
  ]
  return rows.map((parameter, index) => ({ id: index + 1, ...parameter }))
}

const row = (profile: number, configFile: string, name: string, value: string) => ({
  ...{ name, configFile, value, secure: false },
  profiles: [profile],
})
