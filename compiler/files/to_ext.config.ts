import { FileMissing, serverFile } from '../core/defineFile.js'
import unknownFile from './unknown.js'

/**
 * Text that a site extension writes in the field's own system. Programs of the site do not run here, and their
 * parameters alone are not the file, so it never exists; a take-and-bake file under another name can replace it.
 */
export default serverFile({
  name: /^to_ext_.+\.config$/,
  template: unknownFile.template,
  view: ({ file }) => {
    throw new FileMissing(`${file} is written by a site extension, and none is installed`)
  },
})
