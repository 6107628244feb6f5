import { publishedFiles } from '../../../compiler/snapshots/published.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { ofInstallation } from './parameterReach.js'

export default defineBehaviour('parameters', {
  *advises(parameter, data) {
    yield* repeatedGlobal(parameter, data)
    const { id, name, configFile, secure } = parameter
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

/** Of two values that the GLOBAL profile has for one name of config file `global` only the newest counts. */
function* repeatedGlobal({ id, name, configFile, profiles }: Records['parameters'], data: Data): Iterable<string> {
  if (configFile !== 'global') return
  const [globalProfile] = data.ids('profiles', 'name', 'GLOBAL')
  if (globalProfile === undefined || !profiles.includes(globalProfile)) return
  const alike = data
    .by('parameters', 'nameFile', `${name}/global`)
    .filter((other) => other.id !== id && other.profiles.includes(globalProfile))
  if (alike.length === 0) return
  const newest = Math.max(id, ...alike.map((other) => other.id))
  yield `the GLOBAL profile has ${alike.length + 1} values of ${name}; the newest counts, that of parameter ${newest}.`
}
