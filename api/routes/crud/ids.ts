import type { Fault } from '../../config/errors.js'
import { invalid, noSuch } from '../../config/errors.js'
import { dangling } from '../../journal/references.js'
import { objectOf } from '../../operations/bodies.js'
import type { RequestInput } from '../../operations/endpoint.js'
import type { Data, Kind } from '../../schema/data.js'
import { asId } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'

/** The ids that link and assignment bodies are made of: `{profileId, parameterId}`, `{dsId, servers: [...]}`. */

const toId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? value
    : typeof value === 'string'
      ? asId(value)
      : null

/** A value that stands for a name or number; anything else is the empty text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Single ids by field name; one fault per field that has none. */
export function idsIn<const N extends string>(body: unknown, ...names: readonly N[]): Record<N, number> {
  const given = objectOf(body)
  const faults: Fault[] = []
  const found = {} as Record<N, number>
  for (const name of names) {
    const id = Object.hasOwn(given, name) ? toId(given[name]) : null
    if (id === null) {
      const text = given[name] === undefined ? `${name} is required` : `${name} must be an id`
      faults.push({ path: name, text })
    } else found[name] = id
  }
  if (faults.length > 0) throw invalid(faults)
  return found
}

/** A list of ids, each once, in the order given. */
export function idList(body: unknown, name: string): number[] {
  const value = Object.hasOwn(objectOf(body), name) ? objectOf(body)[name] : undefined
  return asIdList(value, name)
}

export function asIdList(value: unknown, name: string): number[] {
  if (value === undefined || value === null) throw invalid([{ path: name, text: `${name} is required` }])
  if (!Array.isArray(value)) throw invalid([{ path: name, text: `${name} must be an array` }])
  const ids = value.map(toId)
  if (ids.some((id) => id === null)) throw invalid([{ path: name, text: `${name} must be an array of ids` }])
  return [...new Set(ids as number[])]
}

/** `replace` and its like: a boolean that may come as text or number; absent is false. */
export function flagIn(body: unknown, name: string): boolean {
  const value = Object.hasOwn(objectOf(body), name) ? objectOf(body)[name] : false
  if (value === true || value === 1 || value === '1' || value === 'true') return true
  if (value === false || value === 0 || value === '0' || value === 'false') return false
  if (value === null || value === '') return false
  throw invalid([{ path: name, text: `${name} must be a boolean` }])
}

/** The record a path parameter names by id, or 404. */
export function byPathId<K extends Kind>(
  data: Data,
  kind: K,
  label: string,
  input: RequestInput,
  param = 'id',
): Records[K] {
  const given = input.params[param] ?? ''
  const found = data.get(kind, asId(given))
  if (!found) throw noSuch(label, given)
  return found
}

/** The record an id in a body names, or a fault on that field. */
export function byBodyId<K extends Kind>(data: Data, kind: K, id: number, field: string): Records[K] {
  const found = data.get(kind, id)
  if (!found) throw invalid([dangling(field, kind, id)])
  return found
}
