import type { TSchema } from '@sinclair/typebox'
import type { Field } from '../schema/fields.js'

/** Whether a value of a body that is no field's says nothing. */
export const saysNothing = (given: unknown): given is null | undefined | '' =>
  given === null || given === undefined || given === ''

/**
 * Whether a value says nothing of a field: typed clients send `null` for all they were not given, or an empty text for
 * what is text and 0 for a number. Only where that is a value of the field does it say something.
 */
export function isNothing(field: TSchema, given: unknown): boolean {
  if (given === null || given === undefined) return true
  const { normalize = same, ...notes } = (field as Field).notes ?? {}
  // What their numbers are before anybody sets them; no id, port or count from 1 on is 0.
  if (given === 0) return field.minimum > 0 && 'default' in notes
  if (typeof given !== 'string') return false
  return normalize(given) === '' && !(typesOf(field).includes('string') && field.minLength === 0)
}

const same = (text: string): string => text

/** Whether a record can be without a value of the field: it has `null` then, or an empty list. */
export const mayBeAbsent = (field: TSchema): boolean => absence(field) !== undefined

/** What a record has in a field that is cleared; `undefined` for one that always has a value. */
export function absence(field: TSchema): null | readonly [] | undefined {
  const types = typesOf(field)
  if (types.includes('null')) return null
  return types.includes('array') && 'default' in ((field as Field).notes ?? {}) ? [] : undefined
}

const typesOf = ({ type }: TSchema): readonly string[] => [type as string | string[]].flat()
