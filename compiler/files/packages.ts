import { byCodePoint } from '../cdn/order.js'
import { profileParameters } from '../cdn/parameters.js'
import { serverFile } from '../core/defineFile.js'

/** What the agent installs: a bare JSON array, no header. A `location` is where to put a file, not a package. */
export default serverFile({
  name: 'packages',
  view: ({ data, subject }) => ({
    packages: profileParameters(data, subject.profileId, 'package')
      .map(({ name, value }) => ({ name, version: value }))
      .sort((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.version, b.version)),
  }),
})
