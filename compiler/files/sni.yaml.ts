import { serverFile } from '../define.js'
import { tlsNames } from '../tlsNames.js'

/** How an edge speaks TLS, from version 9 on (config-files.md §6.21). */
export default serverFile({ name: 'sni.yaml', view: (context) => ({ names: tlsNames(context) }) })
