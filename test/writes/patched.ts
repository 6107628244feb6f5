import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../../api/operations/endpoint.js'
import { bodySchema } from '../../api/operations/endpoint.js'
import type { Field } from '../../api/schema/fields.js'
import { printable } from '../../api/schema/fields.js'
import { routes } from '../routes.js'
import { valueFor } from './values.js'

/** The route that asks by PATCH what one asks by PUT, if there is one. */
export const patchOf = (put: string): Endpoint | undefined =>
  routes.find(({ method, path }) => `PUT ${path}` === put && method === 'PATCH')

/** What a body says of the fields that a PATCH takes: the rest, which a GET shows beside them, it refuses. */
export function ofFields(route: Endpoint, body: unknown): Record<string, unknown> {
  const properties = fieldsOf(route)
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => name in properties))
}

/**
 * One field with another value than it has, and than a PUT is about to give it: the field that most likely means nothing
 * to other records. Secrets go along.
 */
export async function oneField(route: Endpoint, put: unknown, read: unknown): Promise<Record<string, unknown>> {
  const [name, field] = Object.entries(fieldsOf(route)).toSorted((a, b) => weight(...a) - weight(...b))[0]!
  const noId = () => Promise.reject(new Error(`${route.path}: no field is free`))
  const values = [await valueFor(field, 1, noId), await valueFor(field, 0, noId)]
  values.push(...values.filter((value) => typeof value === 'number').map((value) => value + 2))
  const [now] = (read as { response?: Record<string, unknown>[] } | undefined)?.response ?? []
  const taken = [now, put as Record<string, unknown> | undefined].map((one) => one?.[name])
  const isFree = (value: unknown) => taken.every((other) => !isDeepStrictEqual(value, other))
  const secrets = Object.entries(fieldsOf(route)).filter(([, { notes = {} }]) => notes.secret)
  const told = Object.fromEntries(secrets.map(([secret]) => [secret, `patched ${secret}`]))
  return { ...told, [name]: values.find(isFree) ?? values.find((value) => !isDeepStrictEqual(value, taken[0])) }
}

const fieldsOf = (route: Endpoint) => (bodySchema(route)?.properties ?? {}) as Record<string, Field>

function weight(name: string, { type, enum: values, pattern, format, notes = {} }: Field): number {
  const types = [type].flat()
  const isSpelling = notes.description?.startsWith('Instead of') ?? false
  if (isSpelling || notes.ref || notes.unique || types.includes('array') || types.includes('object')) return 9
  const isPlain = pattern === printable.line || pattern === printable.tabs
  const isFree = types.includes('string') && isPlain && !format && !values
  // Later lines look for records by their name.
  if (name === 'name' || name === 'configFile') return 6
  if (isFree && !notes.secret) return 'default' in notes ? 0 : 2
  return types.some((one) => one === 'integer' || one === 'number') && !values ? 1 : types.includes('boolean') ? 3 : 4
}
