import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Row } from './world.js'

/**
 * The yardstick: what remap.config says of an edge's services, written by hand as text literals in the fewest steps:
 * look up, decide, concatenate, sort, join. No reader, no notes of what was read, no template, no warnings.
 */
export function literalRemap(workingSet: WorkingSet, serverId: number): string {
  const get = (kind: string, id: number) => workingSet.get(kind, id) as Row
  const server = get('servers', serverId)
  const { deliveryServices } = get('deliveryServiceServers', serverId) as unknown as { deliveryServices: number[] }
  const hostRegexp = workingSet.ids('types', 'name', 'HOST_REGEXP')[0]
  const domain = get('cdns', server.cdnId as number).domainName
  const lines: string[] = []
  for (const id of deliveryServices) {
    const service = get('deliveryServices', id)
    const type = get('types', service.typeId as number).name as string
    const plugins = pluginText(service)
    const isDns = type.startsWith('DNS')
    const direct = type === 'HTTP_LIVE' || type === 'DNS_LIVE' || type === 'HTTP_NO_CACHE'
    const origin = direct ? service.orgServerFqdn : String(service.orgServerFqdn).replace('https://', 'http://')
    for (const regexId of workingSet.ids('deliveryServiceRegexes', 'deliveryServiceId', id)) {
      const { pattern, typeId } = get('deliveryServiceRegexes', regexId) as unknown as Regex
      if (typeId !== hostRegexp) continue
      const bare = pattern.replaceAll('\\', '').replaceAll('.*', '')
      const host = pattern.endsWith('.*') ? `${isDns ? service.routingName : server.hostName}${bare}${domain}` : bare
      if (service.protocol === 0 || service.protocol === 2) {
        lines.push(`map http://${host}/ ${origin}/${plugins} # ds '${service.xmlId}' topology ''\n`)
      }
      if (service.protocol !== 0) {
        lines.push(`map https://${host}/ ${origin}/${plugins} # ds '${service.xmlId}' topology ''\n`)
      }
    }
  }
  return `# DO NOT EDIT - Generated for ${server.hostName} by Edgewright ()\n${lines.sort().join('')}`
}

interface Regex {
  readonly pattern: string
  readonly typeId: number
}

function pluginText(service: Row): string {
  let text = ` @plugin=header_rewrite.so @pparam=dscp/set_dscp_${service.dscp}.config`
  if (service.edgeHeaderRewrite) text += ` @plugin=header_rewrite.so @pparam=hdr_rw_${service.xmlId}.config`
  if (service.qstringIgnore === 2) text += ' @plugin=regex_remap.so @pparam=drop_qstring.config'
  if (service.regexRemap) text += ` @plugin=regex_remap.so @pparam=regex_remap_${service.xmlId}.config`
  if (service.qstringIgnore === 1) {
    text +=
      ' @plugin=cachekey.so @pparam=--separator= @pparam=--remove-all-params=true' +
      ' @pparam=--remove-path=true @pparam=--capture-prefix-uri=/^([^?]*)/$1/'
    if (service.rangeRequestHandling === 2) text += ' @pparam=--include-headers=Range'
  }
  if (service.rangeRequestHandling === 1) {
    text += ' @plugin=background_fetch.so @pparam=--config=bg_fetch.config'
  }
  if (service.rangeRequestHandling === 2) {
    text += ' @plugin=cache_range_requests.so'
    if (service.qstringIgnore === 1) text += ' @pparam=--no-modify-cachekey'
  }
  return text
}
