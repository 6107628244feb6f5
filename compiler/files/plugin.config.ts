import { profileValues } from '../cdn/parameters.js'
import { profileFile } from '../core/defineFile.js'

export default profileFile({
  name: 'plugin.config',
  view: (context) => ({ parameters: profileValues(context) }),
})
