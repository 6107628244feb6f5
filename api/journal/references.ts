import { same } from '../../compiler/data/kindTable.js'
import type { Fault } from '../config/errors.js'
import { quoted } from '../config/errors.js'
import type { Kind } from '../schema/data.js'
import type { KindShape } from '../schema/defineKind.js'
import { shapes } from '../schema/kinds/index.js'

/** What is said of a reference, by id or by name, to a record that is not there. Nobody else words it. */
export function dangling(path: string, kind: Kind, given: unknown): Fault {
  const which = typeof given === 'number' ? `with id ${given}` : `'${quoted(given)}'`
  return { path, text: `${path}: there is no ${shapes[kind].label} ${which}` }
}

/** The references among values whose records are not there; those that were there before are not looked at again. */
export function danglingReferences(
  { fields }: Pick<KindShape, 'fields'>,
  values: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> | null,
  isThere: (kind: Kind, id: number) => boolean,
): Fault[] {
  return Object.entries(fields).flatMap(([name, { notes }]) => {
    const kind = notes.ref as Kind | undefined
    if (kind === undefined || same(values[name], before?.[name])) return []
    const ids = [values[name]].flat().filter((id) => typeof id === 'number')
    return ids.filter((id) => !isThere(kind, id)).map((id) => dangling(name, kind, id))
  })
}
