import type { Fault } from '../config/errors.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'

/** Rules that several resources share. Each yields the faults of one record. */

/** The type a record names must be of the table the record belongs to. */
export function* typeOf(
  table: string,
  { typeId }: { readonly typeId: number },
  data: Data,
  path = 'typeId',
): Iterable<Fault> {
  const type = data.get('types', typeId)
  if (type && type.useInTable !== table) {
    yield { path, text: `${path}: the type ${type.name} is for ${type.useInTable}, not for ${table}` }
  }
}

/** For references that a body may leave out because the service finds them itself. */
export function* needed<R extends object>(record: R, ...names: (keyof R & string)[]): Iterable<Fault> {
  for (const name of names) {
    // One that is wrong is not there to be looked at.
    if (!(name in record)) continue
    if (record[name] === null || record[name] === undefined) yield { path: name, text: `${name} is required` }
  }
}

/** Following a field from record to record must come to an end. */
export function loops(id: number, start: number | null, next: (id: number) => number | null, depth = 100): boolean {
  let at = start
  for (let steps = 0; at !== null; steps++) {
    if (at === id || steps > depth) return true
    at = next(at)
  }
  return false
}

/** The id of a type by its name. */
export const typeId = (data: Data, name: string): number | undefined => findOne(data, 'types', 'name', name)?.id
