import { Type } from '@sinclair/typebox'
import { shownTime, zonedTime } from '../../config/times.js'
import type { Caller } from '../../schema/privileges.js'
import { seesSecrets } from '../../schema/privileges.js'
import { mask } from '../../schema/secrecy.js'
import type { Presenting } from '../crud/resource.js'

/** The shapes in which the interface shows parameters: it spells their keys differently from read to read. */

/** A parameter as it is stored, or joined with the names of its profiles. */
interface Shown {
  readonly id: number
  readonly name: string
  readonly configFile: string
  readonly value: string
  readonly secure: boolean
  readonly lastUpdated: string
}

/** What all but a few reads of 1.3 show. */
export const parameterShown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  configFile: Type.String(),
  value: Type.String(),
  secure: Type.Boolean(),
  lastUpdated: Type.String(),
})

const visible = ({ secure, value }: Shown, user: Caller): string => (secure && !seesSecrets(user) ? mask : value)

/** Of the list; its time is already in the version's form. */
export function asListed(row: Shown & { readonly profileNames?: unknown }, { user }: Presenting) {
  const { id, name, configFile, secure, lastUpdated, profileNames } = row
  return { id, name, configFile, value: visible(row, user), secure, lastUpdated, profiles: profileNames }
}

/** Of the read by id under 1.1 and 1.2; its time is already in the version's form. */
export function asRead(row: Shown, { user }: Presenting) {
  const { id, name, configFile, secure, lastUpdated } = row
  return { id, name, config_file: configFile, value: visible(row, user), secure, last_updated: lastUpdated }
}

/** The reply to a create or update under 1.1 and 1.2: `secure` is 0 or 1. */
export function asWritten(row: Shown, { user }: Presenting) {
  const { id, name, configFile, secure } = row
  return { id, name, configFile, value: visible(row, user), secure: Number(secure) }
}

/** Of the reads below a profile or of what a cache group lacks; `row` as stored. */
export function asScoped(row: Shown, { version, user }: Pick<Presenting, 'version' | 'user'>) {
  const { id, name, configFile, secure, lastUpdated } = row
  const value = visible(row, user)
  return version === '1.3'
    ? { id, name, configFile, value, secure, lastUpdated: zonedTime(lastUpdated) }
    : { last_updated: shownTime(lastUpdated), secure, value, name, config_file: configFile }
}

/** Of a cache group's parameters; `row` as stored. */
export function asGroupParameter(row: Shown, { version, user }: Pick<Presenting, 'version' | 'user'>) {
  const { id, name, configFile, secure, lastUpdated } = row
  const time = version === '1.3' ? zonedTime(lastUpdated) : shownTime(lastUpdated)
  return { id, name, value: visible(row, user), configFile, secure, lastUpdated: time }
}

/** Of a CDN's parameters; `row` as stored. */
export function asConfig(row: Shown, { version, user }: Pick<Presenting, 'version' | 'user'>) {
  const { id, name, configFile } = row
  return { id: version === '1.3' ? id : String(id), value: visible(row, user), name, config_file: configFile }
}
