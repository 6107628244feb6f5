import type { DeliveryService, Parameter } from '../../compiler/model.js'
import type { ChainPorts } from './chainCdn.js'

type LinkedParameter = Parameter & { readonly profiles: readonly number[] }

const [global, edge, mid, pristine] = [1, 2, 3, 4]
const folder = '/opt/trafficserver/etc/trafficserver'

/** The parameters of the chain's profiles: where files go, and the settings without which nothing flows. */
export function chainParameters(ports: ChainPorts, services: readonly DeliveryService[]): readonly LinkedParameter[] {
  const both = [edge, mid]
  const where = (profiles: number[], files: string[], place = folder) =>
    files.map((configFile) => ({ name: 'location', configFile, value: place, profiles }))
  const rows = [
    { name: 'tm.toolname', configFile: 'global', value: 'Edgewright', profiles: [global] },
    { name: 'tm.url', configFile: 'global', value: 'https://edgewright.test', profiles: [global] },
    { name: 'trafficserver', configFile: 'package', value: '9.2.5', profiles: both },
    ...where(both, filesOfEveryCache),
    ...where([edge], ['bg_fetch.config', 'drop_qstring.config', 'ssl_multicert.config']),
    ...where([edge], ['set_dscp_8.config'], `${folder}/dscp`),
    ...services.flatMap((service) => [
      ...where([edge], filesOfService(service)),
      ...(service.midHeaderRewrite ? where([mid], [`hdr_rw_mid_${service.xmlId}.config`]) : []),
    ]),
    { name: 'regex_revalidate.so', configFile: 'plugin.config', value: revalidation, profiles: both },
    // An edge answers for its services only; a mid also for origins that have no line of their own.
    { name: `CONFIG ${remapRequired}`, configFile: 'records.config', value: 'INT 1', profiles: [edge] },
    { name: `CONFIG ${remapRequired}`, configFile: 'records.config', value: 'INT 0', profiles: [mid] },
    ...both.flatMap((profile) => [
      { name: 'Drive_Prefix', configFile: 'storage.config', value: '/dev/sd', profiles: [profile] },
      { name: 'Drive_Letters', configFile: 'storage.config', value: 'b', profiles: [profile] },
      { name: 'RAM_Drive_Prefix', configFile: 'storage.config', value: '/dev/ram', profiles: [profile] },
      { name: 'RAM_Drive_Letters', configFile: 'storage.config', value: '0', profiles: [profile] },
    ]),
    // The usual rule would send requests to port 80 of the origin, which an origin in a test cannot have.
    {
      name: 'content',
      configFile: 'drop_qstring.config',
      value: `/([^?]+) $s://$t:${ports.origin.plain}/$1`,
      profiles: [edge],
    },
    { name: 'url_sig.pparam', configFile: 'remap.config', value: 'pristineurl', profiles: [pristine] },
  ]
  return rows.map((row, index) => ({ id: index + 1, ...row }))
}

const remapRequired = 'proxy.config.url_remap.remap_required'
const revalidation = '--config regex_revalidate.config'

const filesOfEveryCache = [
  ...[
    'remap.config',
    'parent.config',
    'hosting.config',
    'cache.config',
    'ip_allow.yaml',
    'sni.yaml',
    'strategies.yaml',
  ],
  ...['storage.config', 'volume.config', 'plugin.config', 'records.config', 'regex_revalidate.config'],
]

function filesOfService({ xmlId, edgeHeaderRewrite, regexRemap, signingAlgorithm }: DeliveryService): string[] {
  return [
    ...(edgeHeaderRewrite ? [`hdr_rw_${xmlId}.config`] : []),
    ...(regexRemap ? [`regex_remap_${xmlId}.config`] : []),
    ...(signingAlgorithm === 'url_sig' ? [`url_sig_${xmlId}.config`] : []),
  ]
}
