import { cdnFile } from '../core/defineFile.js'

/** For which clients ranges are fetched whole in the background: all (config-files.md §6.13). */
export default cdnFile({ name: 'bg_fetch.config', view: () => ({}) })
