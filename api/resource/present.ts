import type { Data, Kind } from '../data.js'
import { isAdmin } from '../roles.js'
import { shownTime, zonedTime } from '../times.js'
import type { Version } from '../versions.js'
import { mask } from './body.js'
import type { Presenting, Resource, Row } from './define.js'

type Shape = Record<string, unknown>

/**
 * A record in the shape of a version. 1.3 is native: numbers, booleans, `null`, every field and joined name. 1.1 and
 * 1.2 show numbers as strings but for those the declaration lists; a version without a presenter of its own takes
 * the newest older one's.
 */
export function present(resource: Resource, row: Row, context: Presenting): object {
  const joined = join(resource, row, context)
  const own = presenterOf(resource, context.version)
  if (own) return own(joined as Row, context)
  return context.version === '1.3' ? joined : legacy(resource, joined, true)
}

/** The reply to a create or update: native numbers in every version. */
export function presentWritten(resource: Resource, row: Row, context: Presenting): object {
  if (context.version === '1.3') return present(resource, row, context)
  const joined = join(resource, row, context)
  return resource.written?.(joined as Row, context) ?? legacy(resource, joined, false)
}

function presenterOf({ present: presenters }: Resource, version: Version) {
  if (version === '1.3') return presenters?.['1.3']
  return (version === '1.2' ? presenters?.['1.2'] : undefined) ?? presenters?.['1.1']
}

/** The stored fields and the names of what they refer to; secrets masked, times in the version's form. */
export function join(resource: Resource, row: Row, { data, version, user }: Presenting): Shape {
  const shape: Shape = { id: row.id }
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    if (notes.hidden) continue
    const value = row[name]
    shape[name] = notes.secret && value !== null && !isAdmin(user) ? mask : value
    const shownAs = notes.ref && notes.as?.[0]
    if (shownAs) shape[shownAs] = namesOf(notes.ref!, value, data)
  }
  shape.lastUpdated = version === '1.3' ? zonedTime(row.lastUpdated) : shownTime(row.lastUpdated)
  return shape
}

function namesOf(kind: string, value: unknown, data: Data): unknown {
  const key = data.keyOf(kind)
  if (key === null) return null
  const nameOf = (id: number): unknown => (data.get(kind as Kind, id) as Shape | undefined)?.[key] ?? null
  if (Array.isArray(value)) return value.map(nameOf)
  return value === null ? null : nameOf(value as number)
}

/** The shape of 1.1 and 1.2 by the declaration's lists. */
export function legacy({ legacy: lists = {} }: Pick<Resource, 'legacy'>, joined: Shape, asStrings: boolean): Shape {
  const { numbers = [], omit = [], rename = {} } = lists
  const shape: Shape = {}
  for (const [name, value] of Object.entries(joined)) {
    if (omit.includes(name)) continue
    const stringly = asStrings && typeof value === 'number' && !numbers.includes(name)
    shape[rename[name] ?? name] = stringly ? String(value) : value
  }
  return shape
}
