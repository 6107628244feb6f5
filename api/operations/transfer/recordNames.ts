import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Values } from '../../records/recordBody.js'
import type { Data, Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { isSecret, mask } from '../../schema/secrecy.js'

/** The name by which documents refer to a record; its id where no name says which one is meant. */
export function referenceTo(kind: string, id: number, data: Data, catalogue: RecordKinds): string | number {
  const { key } = catalogue.of(kind)
  const name = key && (data.get(kind as Kind, id) as Values | undefined)?.[key]
  // A name that looks like a number would be read as an id.
  const says =
    typeof name === 'string' && !/^-?\d+(\.\d+)?$/.test(name) && data.ids(kind as Kind, key!, name).length === 1
  return says ? name : id
}

/**
 * What people call a record: its key; of a kind without one what makes it unique, else what it cannot be without.
 *
 * @param referTo what the records are called that it refers to
 */
export function nameOf(resource: RecordKind, row: Row, referTo: (kind: string, id: number) => string | number): string {
  const { key, fields, unique = [], idRefersTo } = resource
  if (key !== null && row[key] !== null) return String(row[key])
  if (idRefersTo !== undefined) return String(referTo(idRefersTo, row.id))
  const needed = Object.keys(fields).filter((name) => !('default' in fields[name]!.notes) && !Array.isArray(row[name]))
  const naming = unique.find((names) => names.every((name) => row[name] !== null)) ?? needed
  const texts = naming.map((name) => {
    const { notes } = fields[name]!
    const value = row[name]
    if (isSecret(notes, row)) return mask
    return notes.ref && typeof value === 'number' ? String(referTo(notes.ref, value)) : short(value)
  })
  return texts.length > 0 ? texts.join(' ') : String(row.id)
}

const longest = 60

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
