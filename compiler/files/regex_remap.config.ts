import { namedService, serviceRef } from '../cdn/services.js'
import { cleanedLines } from '../cdn/text.js'
import { cdnFile } from '../core/defineFile.js'

/** A delivery service's own rules for request paths (config-files.md §6.11). */
export default cdnFile({
  name: /^regex_remap_(?<xmlId>.+)\.config$/,
  template: 'lines',
  view: (context) => {
    const service = namedService(context)
    return { lines: cleanedLines(context, serviceRef(service), 'the regex remap', service.regexRemap ?? '') }
  },
})
