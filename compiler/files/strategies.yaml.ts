import { serverFile } from '../core/defineFile.js'

/** Named ways to choose parents. No remap line here asks for one: parents are chosen by parent.config. */
export default serverFile({ name: 'strategies.yaml', view: () => ({}) })
