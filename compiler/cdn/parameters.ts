import type { CompileContext } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import { one } from '../core/reader.js'
import type { Warning } from '../core/warnings.js'
import type { Parameter } from '../data/model.js'
import { byCodePoint } from './order.js'
import { cleaned } from './text.js'

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

/**
 * A parameter of config file `global`: the GLOBAL profile's, else any profile's (config-files.md §3). Of several of the
 * GLOBAL profile the newest, so that what an operator adds counts before anything the service began with.
 */
export function globalValue(data: Reader, name: string): string | null {
  const globalProfile = one(data, 'profiles', 'name', 'GLOBAL')
  const ofGlobal = globalProfile ? data.by('parameters', 'profileFile', `${globalProfile.id}/global`) : []
  const own = ofGlobal.findLast((parameter) => parameter.name === name)
  return own?.value ?? one(data, 'parameters', 'nameFile', `${name}/global`)?.value ?? null
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

export interface NamedValue {
  readonly name: string
  readonly value: string
}

/**
 * What the key-and-value files of a profile are made of (config-files.md §6.1): name and value of each parameter
 * of the file, ordered by name and, where a name repeats, by id. Names may end in `__<digits>`, the field's way
 * to repeat one; that is left out. There is no server in this scope, so its full name stays a placeholder for the agent.
 */
export function profileValues(context: CompileContext<'profiles'>): readonly NamedValue[] {
  const { data, subject, file } = context
  return inOrder(profileParameters(data, subject.id, file)).map((parameter) => {
    const name = cleaned(context, parameterRef(parameter), 'the name', parameter.name).replace(/__\d+$/, '')
    const value = cleaned(context, parameterRef(parameter), 'the value', parameter.value)
    return { name, value: isHostNameText(value) ? 'STRING __FULL_HOSTNAME__' : value }
  })
}

/** The host name as a setting: servers are told the whole name there, as the agent's own word for it is the first label. */
export const isHostNameText = (value: string): boolean => /^STRING[ \t]__HOSTNAME__$/.test(value)

/** By name, then by id. */
export function inOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters].sort((a, b) => byCodePoint(a.name, b.name) || a.id - b.id)
}

/** How a warning names a parameter. */
export function parameterRef({ id, name }: Parameter): Warning['record'] {
  return { kind: 'parameters', id, name }
}
