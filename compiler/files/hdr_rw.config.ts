import { connectionLimit } from '../cdn/connectionLimit.js'
import { serviceByXmlId, serviceRef, typeName, usesMids } from '../cdn/services.js'
import { cleanedLines } from '../cdn/text.js'
import type { CompileContext } from '../core/defineFile.js'
import { cdnFile, FileMissing } from '../core/defineFile.js'
import type { DeliveryService } from '../data/model.js'

/**
 * A delivery service's header rewrite rules for edges (`hdr_rw_X`) or mids (`hdr_rw_mid_X`), and its share of
 * connections to the origin on the tier that talks to it (config-files.md §6.8).
 */
export default cdnFile({
  name: /^hdr_rw_(?<xmlId>.+)\.config$/,
  template: 'hdr_rw_X.config',
  view: (context) => {
    const { service, tier } = named(context)
    const own = tier === 'mid' ? service.midHeaderRewrite : service.edgeHeaderRewrite
    const lines = own ? cleanedLines(context, serviceRef(service), `the ${tier} header rewrite`, own) : []
    const type = typeName(context.data, service.typeId)
    const atOrigin = usesMids(type) === (tier === 'mid')
    const limit = atOrigin ? connectionLimit(context, service, tier) : null
    return {
      hostLimit: limit?.perHost ? limit.connections : null,
      limit: limit && !limit.perHost ? limit.connections : null,
      lines: lines.length > 0 || limit ? lines : [''],
      last: lines.length === 0,
    }
  },
})

/** `hdr_rw_mid_x` is the mids' file of x; if there is no x, the edges' of a service called mid_x. */
function named({ data, subject, parts, file }: CompileContext<'cdns'>): {
  service: DeliveryService
  tier: 'edge' | 'mid'
} {
  const xmlId = parts.xmlId!
  const atMid = xmlId.startsWith('mid_') ? serviceByXmlId(data, subject.id, xmlId.slice('mid_'.length)) : undefined
  if (atMid) return { service: atMid, tier: 'mid' }
  const service = serviceByXmlId(data, subject.id, xmlId)
  if (!service) throw new FileMissing(`${file} names no delivery service of this CDN`)
  return { service, tier: 'edge' }
}
