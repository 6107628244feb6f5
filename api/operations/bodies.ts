import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { badRequest, invalid } from '../config/errors.js'
import { checker } from '../records/check.js'
import { oneOrMany } from '../records/each.js'
import type { Values } from '../records/recordBody.js'
import { recordSchema } from '../records/recordSchema.js'
import type { Body } from './endpoint.js'

/** A body that is exactly what its schema says; one that is absent is an empty object. */
export function exactBody<S extends TSchema>(schema: S): Body<Static<S>> {
  const check = checker(schema)
  return {
    schema,
    read: (given) => {
      const body = given ?? {}
      const faults = check(body)
      if (faults.length > 0) throw invalid(faults)
      return body as Static<S>
    },
  }
}

/** A record as a client says it; `readBody` takes its fields out, by the same declaration, once the data are there. */
export const recordBody = (...of: Parameters<typeof recordSchema>): Body<Values> => ({
  schema: recordSchema(...of),
  read: objectOf,
})

/** A body that must be an object. */
export function objectOf(body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values
  throw badRequest('The body must be a JSON object.')
}

/** The same, one or several. */
export const recordsBody = (...of: Parameters<typeof recordSchema>): Body<readonly unknown[]> => ({
  schema: oneOrManyOf(recordSchema(...of)),
  read: oneOrMany,
})

/** One of a sort, or a list of them, for the OpenAPI document. */
export const oneOrManyOf = (one: TSchema): TSchema => Type.Union([one, Type.Array(one)])
