import { type TSchema, Type } from '@sinclair/typebox'
import type { Field } from '../../schema/fields.js'
import { named, schemaName } from '../../schema/schemaNames.js'
import type { Resource } from './resource.js'

/** A record as 1.3 shows it, for the OpenAPI document: every field and joined name, and what the resource adds. */
export function rowSchema(
  { kind, description, fields, shown = {} }: Pick<Resource, 'kind' | 'description' | 'fields' | 'shown'>,
  name = schemaName(kind),
): TSchema {
  const properties: Record<string, TSchema> = { id: Type.Integer() }
  for (const [name, field] of Object.entries(fields)) {
    const { hidden, ref, nameAliases: as } = field.notes
    if (hidden) continue
    properties[name] = reading(field)
    if (ref && as?.[0]) properties[as[0]] = field.type === 'array' ? Type.Array(Type.String()) : nameOf(field)
  }
  properties.lastUpdated = Type.String()
  for (const [name, schema] of Object.entries(shown)) {
    if (schema === null) delete properties[name]
    else properties[name] = schema
  }
  return named(name, Type.Object(properties, { description }))
}

/** A record that must be named has a name. */
const nameOf = ({ type }: Field): TSchema =>
  Array.isArray(type) ? Type.Unsafe({ type: ['string', 'null'] }) : Type.String()

/** The type alone: what is stored was checked when it came, and a secret may be asterisks. */
function reading({ type, enum: values, items, notes }: Field): TSchema {
  return Type.Unsafe({
    type,
    notes,
    ...(values ? { enum: values } : {}),
    ...(items ? { items: { type: (items as TSchema).type } } : {}),
  })
}
