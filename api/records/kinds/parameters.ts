import { publishedFiles } from '../../../compiler/snapshots/published.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { ofInstallation } from './parameterReach.js'

export default defineBehaviour('parameters', {
  *advises({ id, name, configFile, secure }) {
    if (!secure || !(publishedFiles as readonly string[]).includes(configFile)) return
    yield `parameter ${name} (id ${id}) is secure, but ${configFile} goes to routers and monitors: whoever may read their configuration or a snapshot sees its value.`
  },
  rules: ({ before, after, user }) => ofInstallation([before, after], user),
  *deleteGuard(parameter, { user }) {
    yield* ofInstallation([parameter], user)
    const { id, profiles } = parameter
    if (profiles.length === 0) return
    const text = `fail to delete parameter, parameter [id:${id}] has profile associated.`
    yield { path: 'profiles', text, status: 409 as const }
  },
})
