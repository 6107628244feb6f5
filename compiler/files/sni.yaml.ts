import { tlsNames } from '../cdn/tlsNames.js'
import { serverFile } from '../core/defineFile.js'

/** How an edge speaks TLS, from version 9 on (config-files.md §6.21). */
export default serverFile({ name: 'sni.yaml', view: (context) => ({ names: tlsNames(context) }) })
