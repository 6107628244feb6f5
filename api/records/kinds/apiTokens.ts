import { quoted } from '../../config/errors.js'
import { rootTenant } from '../../schema/privileges.js'
import { scopeFault } from '../../schema/scopes.js'
import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('apiTokens', {
  // Who sees others' tokens sees that they are made.
  about: (_token, data) => [rootTenant(data)],
  *rules({ after }) {
    for (const scope of after.scopes ?? []) {
      const fault = scopeFault(scope)
      if (fault !== null) yield { path: 'scopes', text: `scopes: '${quoted(scope)}' cannot be given: ${fault}` }
    }
  },
})
