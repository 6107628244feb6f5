import type { TSchema } from '@sinclair/typebox'
import { checker } from '../../api/records/check.js'
import type { Field } from '../../api/schema/fields.js'

/** Texts of every form that a declaration may ask for, each more than once, so that one can be changed into another. */
const texts = [
  ['written', 'written-2'],
  ['WRITTEN', 'WRITTEN2'],
  ['written.example.net', 'w.example.net'],
  ['http://written.example.net', 'http://w.example.net'],
  ['written@example.net', 'w@example.net'],
  ['192.0.2.201', '192.0.2.202'],
  ['2001:db8::201', '2001:db8::202'],
  ['192.0.2.0/25', '192.0.2.128/25'],
  ['2035-01-01 00:00:00', '2035-01-02 00:00:00'],
  ['/written', '/written/2'],
  ['7', '8'],
] as const

/**
 * A value that a field takes, by its declaration alone.
 * @param variant 0 or 1: another value for each, where the field has more than one
 * @param idOf the id of a record of a kind
 */
export async function valueFor(
  field: Field,
  variant: 0 | 1,
  idOf: (kind: string) => Promise<number>,
): Promise<unknown> {
  const { type, enum: allowed, minimum = 0, items } = field as TSchema
  const { ref } = field.notes ?? {}
  const types = [type].flat()
  if (types.includes('array')) return ref ? [await idOf(ref)] : [await valueFor(items as Field, variant, idOf)]
  if (ref) return idOf(ref)
  if (Array.isArray(allowed)) return allowed[variant % allowed.length]
  if (types.includes('boolean')) return variant === 1
  if (types.includes('integer') || types.includes('number')) return Math.max(Number(minimum), 0) + 1 + variant
  if (types.includes('object')) return {}
  const fits = checker(field)
  const found = texts.find((pair) => pair.every((text) => fits(text).length === 0))
  if (!found) throw new Error('no text is known that fits; add a pair to test/writes/values.ts')
  return found[variant]
}
