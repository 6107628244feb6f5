import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { ApiError, Fault } from '../config/errors.js'
import { badRequest, invalid } from '../config/errors.js'
import type { RecordKind } from '../journal/recordKind.js'
import type { Draft } from '../journal/transaction.js'
import { checker } from '../records/check.js'
import { oneOrMany } from '../records/each.js'
import type { Values } from '../records/recordBody.js'
import { readBody } from '../records/recordBody.js'
import type { BodyMode } from '../records/recordSchema.js'
import { recordSchema } from '../records/recordSchema.js'
import { asSpelled } from '../records/spellings.js'
import type { Data, Kind } from '../schema/data.js'
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

/** The answer to a body that breaks rules: 400, or the gravest of its faults, in the caller's words. */
export const refused = (kind: RecordKind, stated: unknown, faults: readonly Fault[]): ApiError =>
  invalid(asSpelled(kind, stated, faults))

/** What a body says of a record; fields that it leaves out are not there. */
type Stated<R extends RecordKind> = R['kind'] extends Kind ? Partial<Draft<R['kind']>> : Values

interface RecordReading<R extends RecordKind> {
  /**
   * Takes the record's fields out of a body, by the same declaration, once the data are there.
   *
   * @throws ApiError 400 with all that is wrong
   */
  readonly fields: (stated: unknown, data: Data) => Stated<R>
}

/** A record as a client says it. */
export const recordBody = <R extends RecordKind>(
  kind: R,
  mode: BodyMode,
  options: RecordOptions = {},
): Body<Values> & RecordReading<R> => ({
  schema: recordSchema(kind, mode, options),
  read: objectOf,
  fields: fieldsOf(kind, mode, options),
})

/** The same, one or several. */
export const recordsBody = <R extends RecordKind>(
  kind: R,
  mode: BodyMode,
  options: RecordOptions = {},
): Body<readonly unknown[]> & RecordReading<R> => ({
  schema: oneOrManyOf(recordSchema(kind, mode, options)),
  read: oneOrMany,
  fields: fieldsOf(kind, mode, options),
})

interface RecordOptions extends NonNullable<Parameters<typeof recordSchema>[2]> {
  /** Unknown fields are refused rather than passed over, and so is to be without what a record must have. */
  readonly strict?: boolean
}

const fieldsOf =
  <R extends RecordKind>(
    kind: R,
    mode: BodyMode,
    { strict = false, more = {} }: RecordOptions,
  ): RecordReading<R>['fields'] =>
  (stated, data) => {
    const { values, faults } = readBody(kind, stated, { mode, data, strict, more })
    if (faults.length > 0) throw invalid(faults)
    // They passed the check that is made of the kind's fields.
    return values as Stated<R>
  }

/** A body that must be an object. */
export function objectOf(body: unknown): Values {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values
  throw badRequest('The body must be a JSON object.')
}

/** One of a sort, or a list of them, for the OpenAPI document. */
export const oneOrManyOf = (one: TSchema): TSchema => Type.Union([one, Type.Array(one)])
