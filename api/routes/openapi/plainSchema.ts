import type { TSchema } from '@sinclair/typebox'

/** A declared schema as plain JSON Schema: without what is only for the service itself. */
export function plainSchema(schema: TSchema): Record<string, unknown> {
  return plain(schema) as Record<string, unknown>
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'notes' ? [] : [[key, plain(inner)]])),
  )
}
