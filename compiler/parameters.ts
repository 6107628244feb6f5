import type { Parameter } from './model.js'
import { one, type Reader } from './reader.js'

/** The parameters of a profile for a config file without the `location` ones, by id. */
export function profileParameters(data: Reader, profileId: number, configFile: string): readonly Parameter[] {
  return data.by('parameters', 'profileFile', `${profileId}/${configFile}`).filter(({ name }) => name !== 'location')
}

/** The value of one parameter of a profile; the one with the lowest id when the name repeats. */
export function parameterValue(data: Reader, profileId: number, configFile: string, name: string): string | null {
  const found = data
    .by('parameters', 'profileFile', `${profileId}/${configFile}`)
    .find((parameter) => parameter.name === name)
  return found?.value ?? null
}

/** A parameter of config file `global`: the GLOBAL profile's, else any profile's (config-files.md §3). */
export function globalValue(data: Reader, name: string): string | null {
  const globalProfile = one(data, 'profiles', 'name', 'GLOBAL')
  const own = globalProfile && parameterValue(data, globalProfile.id, 'global', name)
  return own ?? one(data, 'parameters', 'nameFile', `${name}/global`)?.value ?? null
}

/**
 * The cache server's major version: the digits before the first dot of the parameter `trafficserver` of config
 * file `package`. Nine when the profile does not say, the version whose forms are the default here.
 */
export function cacheServerVersion(data: Reader, profileId: number): number {
  const value = parameterValue(data, profileId, 'package', 'trafficserver')
  const major = value === null ? Number.NaN : Number.parseInt(value, 10)
  return Number.isSafeInteger(major) && major > 0 ? major : 9
}
