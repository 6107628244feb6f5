import { type TSchema, Type } from '@sinclair/typebox'
import type { Field } from '../../schema/fields.js'
import type { Resource } from './resource.js'

/** A record as 1.3 shows it, for the OpenAPI document: every field and joined name, and what the resource adds. */
export function rowSchema({ fields, shown = {} }: Pick<Resource, 'fields' | 'shown'>): TSchema {
  const properties: Record<string, TSchema> = { id: Type.Integer() }
  for (const [name, field] of Object.entries(fields)) {
    const { hidden, ref, as } = field.notes
    if (hidden) continue
    properties[name] = reading(field)
    if (ref && as?.[0]) properties[as[0]] = field.type === 'array' ? Type.Array(Type.String()) : textOrNull
  }
  properties.lastUpdated = Type.String()
  for (const [name, schema] of Object.entries(shown)) {
    if (schema === null) delete properties[name]
    else properties[name] = schema
  }
  return Type.Object(properties)
}

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** The type alone: what is stored was checked when it came, and a secret may be asterisks. */
function reading({ type, enum: values, items }: Field): TSchema {
  return Type.Unsafe({
    type,
    ...(values ? { enum: values } : {}),
    ...(items ? { items: { type: (items as TSchema).type } } : {}),
  })
}
