import { cdnFile } from '../core/defineFile.js'

/** Takes the query string out of the cache keys of one service's lines (config-files.md §6.15; up to version 5). */
export default cdnFile({ name: 'cacheurl_qstring.config', view: () => ({ schemes: ['http://', 'https://'] }) })
