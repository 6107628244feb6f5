import type { Fault } from '../config/errors.js'
import type { KindShape } from '../schema/defineKind.js'
import type { Field, FieldNotes } from '../schema/fields.js'
import { isNothing, mayBeAbsent } from './nothing.js'

type Given = Readonly<Record<string, unknown>>

/** Under which other names a body may give a field: other spellings first, then those by which what it refers to is named. */
export const othersOf = ({ notes }: Field): readonly string[] => [
  ...(notes.aliases ?? []),
  ...(notes.ref ? (notes.nameAliases ?? []) : []),
]

/**
 * The name under which a body gives a field: the first under which it says something, or else the first under which it
 * says nothing. `undefined` when none is there.
 *
 * @param clears a field that may be absent is cleared by saying nothing under its own name: forms send the name of what
 *   they read beside it
 */
export function spellingIn(given: Given, name: string, field: Field, clears: boolean): string | undefined {
  const present = [name, ...othersOf(field)].filter((one) => Object.hasOwn(given, one) && given[one] !== undefined)
  const [first] = present
  if (first === undefined) return undefined
  if (clears && mayBeAbsent(field) && !isByName(first, field.notes)) return first
  return present.find((one) => !isNothing(field, given[one])) ?? first
}

/** Whether this spelling of a reference is for a name. */
const isByName = (spelling: string, { ref, nameAliases = [], aliases = [] }: FieldNotes): boolean =>
  ref !== undefined && nameAliases.includes(spelling) && !aliases.includes(spelling)

/** The same faults in the caller's words: each names its field as the body does, and what is missing as it may be given. */
export function asSpelled(
  { fields }: Pick<KindShape, 'fields'>,
  given: unknown,
  faults: readonly Fault[],
): readonly Fault[] {
  const body = (typeof given === 'object' && given !== null ? given : {}) as Given
  return faults.map((fault) => {
    const name = fault.path.split('.')[0]!
    const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
    if (!field) return fault
    const [byName] = field.notes.ref ? (field.notes.nameAliases ?? []) : []
    if (byName !== undefined && fault.text === `${name} is required`)
      return { ...fault, text: `${fault.text}, or ${byName} instead` }
    const spelling = spellingIn(body, name, field, false)
    if (spelling === undefined || spelling === name) return fault
    if (isByName(spelling, field.notes) && fault.text.startsWith(`${name} must be an integer`))
      return { ...fault, text: `${spelling} must be a name` }
    // A name that refers to nothing is named as it was given already; the word behind it is what it would name.
    if (fault.text.startsWith(`${spelling}:`)) return fault
    return { ...fault, text: fault.text.replace(new RegExp(`\\b${name}\\b`), () => spelling) }
  })
}
