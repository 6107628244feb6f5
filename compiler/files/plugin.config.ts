import { profileFile } from '../define.js'
import { profileValues } from '../parameters.js'

export default profileFile({
  name: 'plugin.config',
  view: (context) => ({ parameters: profileValues(context) }),
})
