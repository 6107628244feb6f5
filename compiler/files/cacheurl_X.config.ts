import { namedService, serviceRef } from '../cdn/services.js'
import { cleanedLines } from '../cdn/text.js'
import { cdnFile } from '../core/defineFile.js'

/** A delivery service's own cache key rules (config-files.md §6.15; the plugin is gone since version 7). */
export default cdnFile({
  name: /^cacheurl_(?<xmlId>.+)\.config$/,
  template: 'lines',
  view: (context) => {
    const service = namedService(context)
    return { lines: cleanedLines(context, serviceRef(service), 'the cacheurl', service.cacheurl ?? '') }
  },
})
