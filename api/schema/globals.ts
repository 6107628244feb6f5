import type { Data } from './data.js'
import type { Caller } from './privileges.js'
import { seesSecrets } from './privileges.js'

/**
 * The parameters of config file `global` by name, those of the GLOBAL profile first, the newest of them first; secure
 * ones for admins only. Compiled files see them by the same rule (`globalValue`).
 */
export function globalValues(data: Data, user: Caller): Record<string, string> {
  const [globalProfile] = data.ids('profiles', 'name', 'GLOBAL')
  const values: Record<string, string> = {}
  const parameters = [...data.by('parameters', 'configFile', 'global')]
  const isOwn = (parameter: { profiles: readonly number[] }) =>
    globalProfile !== undefined && parameter.profiles.includes(globalProfile)
  const own = parameters.filter(isOwn).sort((a, b) => b.id - a.id)
  for (const parameter of [...own, ...parameters]) {
    if (parameter.secure && !seesSecrets(user)) continue
    if (!Object.hasOwn(values, parameter.name)) values[parameter.name] = parameter.value
  }
  return values
}
