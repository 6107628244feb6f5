import { serverFile } from '../define.js'
import { byCodePoint } from '../order.js'
import { profileParameters } from '../parameters.js'

/** What the agent installs: a bare JSON array, no header. A `location` is where to put a file, not a package. */
export default serverFile({
  name: 'packages',
  view: ({ data, subject }) => ({
    packages: profileParameters(data, subject.profileId, 'package')
      .map(({ name, value }) => ({ name, version: value }))
      .sort((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.version, b.version)),
  }),
})
