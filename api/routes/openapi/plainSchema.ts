import type { TSchema } from '@sinclair/typebox'

/** What is only for the service itself. */
const own = new Set(['notes', 'printable', 'hostLength', 'form'])
/** The names of formats that no other program knows. */
const ownFormats = new Set(['moment', 'ipv6-cidr', 'ip-cidr'])

/** A declared schema as plain JSON Schema, with the description of a field. */
export function plainSchema(schema: TSchema): Record<string, unknown> {
  return plain(schema) as Record<string, unknown>
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const { notes } = value as { notes?: { description?: string } }
  const kept = Object.entries(value).filter(([key, inner]) => !isOwn(key, inner))
  return {
    ...Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)])),
    ...(notes?.description === undefined ? {} : { description: notes.description }),
  }
}

const isOwn = (key: string, inner: unknown): boolean =>
  own.has(key) ? typeof inner !== 'object' || key === 'notes' : key === 'format' && ownFormats.has(String(inner))
