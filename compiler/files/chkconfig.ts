import { byCodePoint } from '../cdn/order.js'
import { serverFile } from '../core/defineFile.js'

/** The services to switch on or off: a bare JSON array, no header. The field lists the `location` here too (§6.19). */
export default serverFile({
  name: 'chkconfig',
  view: ({ data, subject }) => ({
    services: data
      .by('parameters', 'profileFile', `${subject.profileId}/chkconfig`)
      .map(({ name, value }) => ({ name, value }))
      .sort((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.value, b.value)),
  }),
})
