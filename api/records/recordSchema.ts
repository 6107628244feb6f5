import { type TSchema, Type } from '@sinclair/typebox'
import type { KindShape } from '../schema/defineKind.js'
import type { Field, Fields } from '../schema/fields.js'
import { named, schemaName } from '../schema/schemaNames.js'

/** `create`: required fields must be there. `replace`: too, the others keep. `patch`: all others keep. */
export type BodyMode = 'create' | 'replace' | 'patch'

/** Whether a body of this mode must have the field. */
export const isRequired = ({ notes }: Field, mode: BodyMode): boolean =>
  mode !== 'patch' && !('default' in notes) && !(mode === 'replace' && notes.kept === true)

const titles = { create: 'Create', replace: 'Update', patch: 'Patch' } as const

/** Of the schema of a record's body: what answers show of such a record, which clients send back with it. */
export const shownNames = Symbol('shown names')

type Shape = Pick<KindShape, 'kind' | 'description' | 'fields' | 'computed' | 'shownAs'>

const namesShown = ({ fields, computed = {}, shownAs = [] }: Shape): readonly string[] => [
  'id',
  'lastUpdated',
  ...Object.entries(fields).flatMap(([name, field]) => (field.notes.hidden ? [] : [name, ...spellingsOf(field)])),
  ...Object.keys(computed),
  ...shownAs,
]

/**
 * The body by which a record is made or changed, with the names that may stand for ids and the other spellings: what
 * `readBody` reads. Numbers and booleans may be text, too.
 *
 * @param of.given fields that the path says instead
 * @param of.only the fields that it takes
 * @param of.more what it may say beside the fields
 */
export function recordSchema(
  shape: Shape,
  mode: BodyMode,
  { given = [], only, more = {} }: Partial<BodyOptions> = {},
): TSchema {
  const { kind, description, fields } = shape
  const own = Object.entries(fields).filter(
    ([name, { notes }]) => !notes.readOnly && !given.includes(name) && (only?.includes(name) ?? true),
  )
  const properties: Record<string, TSchema> = {}
  for (const [name, field] of own) Object.assign(properties, spellings(name, field, mode, fields))
  const required = own.filter(([, field]) => isRequired(field, mode) && spellingsOf(field).length === 0)
  const schema = Type.Unsafe({
    type: 'object',
    description,
    properties: { ...properties, ...more },
    required: required.map(([name]) => name),
  })
  Object.assign(schema, { [shownNames]: namesShown(shape) })
  // What is short of the kind's own body is called by its route.
  return given.length > 0 || only ? schema : named(`${schemaName(kind)}${titles[mode]}`, schema)
}

interface BodyOptions {
  readonly given: readonly string[]
  readonly only: readonly string[]
  readonly more: Readonly<Record<string, TSchema>>
}

const spellingsOf = ({ notes }: Field): readonly string[] => [
  ...(notes.aliases ?? []),
  ...(notes.ref ? (notes.nameAliases ?? []) : []),
]

/** A field under each of its names. */
function spellings(name: string, field: Field, mode: BodyMode, fields: Fields): Record<string, TSchema> {
  const { aliases: also = [], ref, nameAliases: as = [], description } = field.notes
  const others = spellingsOf(field).filter((other) => !(other in fields))
  const needed = isRequired(field, mode) && others.length > 0 ? [`Required, or ${others.join(' or ')} instead.`] : []
  const said = [description, ...needed].filter((text) => text !== undefined).join(' ')
  const properties = { [name]: said === '' ? field : { ...field, notes: { ...field.notes, description: said } } }
  for (const other of others) {
    const isName = ref !== undefined && as.includes(other) && !also.includes(other)
    properties[other] = isName ? nameIn(field, name) : { ...field, notes: { description: `Instead of ${name}.` } }
  }
  return properties
}

/** The name of what an id stands for, or their names. */
function nameIn({ type }: Field, name: string): Field {
  const types = [type].flat()
  const notes = { description: `Instead of ${name}: by name.` }
  if (types.includes('array')) return Type.Unsafe({ type: 'array', items: { type: 'string' }, notes }) as Field
  return Type.Unsafe({ type: types.includes('null') ? ['string', 'null'] : 'string', notes }) as Field
}
