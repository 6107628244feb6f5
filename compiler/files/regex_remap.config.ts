import { cdnFile } from '../define.js'
import { namedService, serviceRef } from '../services.js'
import { cleanedLines } from '../text.js'

/** A delivery service's own rules for request paths (config-files.md §6.11). */
export default cdnFile({
  name: /^regex_remap_(?<xmlId>.+)\.config$/,
  template: 'lines',
  view: (context) => {
    const service = namedService(context)
    return { lines: cleanedLines(context, serviceRef(service), 'the regex remap', service.regexRemap ?? '') }
  },
})
