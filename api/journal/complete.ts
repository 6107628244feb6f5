import type { Fields } from '../schema/fields.js'

/** Every field of a stored record is there; what was not given has its fallback. */
export function complete(fields: Fields, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, { notes }] of Object.entries(fields)) {
    row[name] = values[name] === undefined ? (notes.default ?? null) : values[name]
  }
  return row
}
