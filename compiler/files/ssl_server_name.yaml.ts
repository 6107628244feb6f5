import { tlsNames } from '../cdn/tlsNames.js'
import { serverFile } from '../core/defineFile.js'

/** How an edge speaks TLS, on version 8 (config-files.md §6.21). */
export default serverFile({ name: 'ssl_server_name.yaml', view: (context) => ({ names: tlsNames(context) }) })
