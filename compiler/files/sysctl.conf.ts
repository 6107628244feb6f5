import { profileFile } from '../define.js'
import { profileValues } from '../parameters.js'

export default profileFile({
  name: 'sysctl.conf',
  view: (context) => ({ parameters: profileValues(context) }),
})
