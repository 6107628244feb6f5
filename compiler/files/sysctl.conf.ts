import { profileValues } from '../cdn/parameters.js'
import { profileFile } from '../core/defineFile.js'

export default profileFile({
  name: 'sysctl.conf',
  view: (context) => ({ parameters: profileValues(context) }),
})
