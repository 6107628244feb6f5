import type { About } from './goldenCases.js'
import { dataOf, directly, jobOf } from './goldenCases.js'
import { smallCdn } from './smallCdn.js'

export type Changes = NonNullable<About['changes']>

/** A snapshot document of the small CDN `orb` with some records changed, and the codes of its warnings. */
export function snapshotOf(name: string, changes: Changes = []) {
  const golden = caseOf(name, changes)
  const data = dataOf(golden)
  const result = directly(jobOf(golden, data), data)
  if ('missing' in result) throw new Error(result.missing)
  return { document: JSON.parse(result.text), text: result.text, warnings: result.warnings }
}

export const caseOf = (name: string, changes: Changes) => ({
  file: `snapshots/${name}`,
  name: '',
  path: '',
  about: { scope: 'cdns', subject: 'orb', changes } as const,
})

/** A record of the small CDN with some fields changed, as a change. */
export function altered(kind: string, id: number, fields: object): Changes[number] {
  const found = smallCdn.find((one) => one.kind === kind && one.record.id === id)
  if (!found) throw new Error(`the small CDN has no ${kind} ${id}`)
  return { kind, record: { ...found.record, ...fields } }
}

/** A parameter of one profile of the small CDN. */
export function parameter(
  id: number,
  profile: number,
  configFile: string,
  name: string,
  value: string,
): Changes[number] {
  return { kind: 'parameters', record: { id, name, configFile, value, profiles: [profile] } as { id: number } }
}
