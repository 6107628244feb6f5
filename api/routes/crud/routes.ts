import { type TSchema, Type } from '@sinclair/typebox'
import type { Alert } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf, recordBody, refused } from '../../operations/bodies.js'
import type { RequestInput, Result, Subject, WriteEndpoint, WriteMethod } from '../../operations/endpoint.js'
import { numberQuery } from '../../operations/queryParameters.js'
import { changedFields } from '../../records/changedFields.js'
import type { Values } from '../../records/recordBody.js'
import { readBody } from '../../records/recordBody.js'
import type { Data, Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { mustReachTenant } from '../../schema/privileges.js'
import type { Accepting, RowOf } from './accepting.js'
import { accepted } from './accepting.js'
import { present, presentWritten } from './present.js'
import { type Bound, type Common, findRow, reachOf, type Single } from './readRoutes.js'
import type { Resource } from './resource.js'
import { rowSchema } from './rowSchema.js'

interface Writing<K extends string = string> extends Common, Accepting<K> {
  /** The success alert; default `<label> was created.` and so on. */
  readonly text?: (row: RowOf<K>, transaction: Transaction) => string
  /** The reply as an array of one, where interface.md says so. */
  readonly array?: boolean
  readonly method?: WriteMethod
  /** Fields whose values the path gives (a parent's name), resolved before the body is checked. */
  readonly given?: Readonly<Record<string, (input: RequestInput, data: Data) => unknown>>
  /** What the body may say beside the fields. */
  readonly more?: Readonly<Record<string, TSchema>>
  /** The reply's `response`, when it is neither the written shape nor an array of it. */
  readonly reply?: (row: RowOf<K>, input: RequestInput, transaction: Transaction) => unknown
  /** What `reply` answers, for the OpenAPI document. */
  readonly replied?: TSchema
  /** Done with the record in the same entry, after it was written. */
  readonly after?: (row: RowOf<K>, stated: Values, transaction: Transaction, before: RowOf<K> | null) => void
  /** The line in the change log; `null` when whoever calls writes one for all it does. */
  readonly log?: ((row: RowOf<K>, transaction: Transaction) => string) | null
}

/** For the machinery, which hands over rows and values of the resource's own kind. */
const untyped = <T>(how: object): T => how as T

export function create<K extends string = string>(path: string, how: Writing<K>): Bound<WriteEndpoint, K> {
  const options: Writing = untyped(how)
  return (resource) => {
    const body = recordBody(resource, 'create', bodyOf(options))
    return {
      method: options.method ?? 'POST',
      path,
      role: options.role,
      reach: reachOf(resource, options),
      summary: options.summary ?? `Create one of ${resource.kind}`,
      body,
      response: writtenSchema(resource, options),
      write: (input, transaction) => {
        const stated = withGiven(body.read(input.body), input, transaction.data, options)
        const row = createRow(resource, stated, input, transaction, options)
        return written(resource, row, input, transaction, options, 'created')
      },
    }
  }
}

/** Creates a record from a body; used by routes that take several at once, too. */
export function createRow(
  resource: Resource,
  body: unknown,
  input: RequestInput,
  transaction: Transaction,
  options: Partial<Writing> = {},
): Row {
  const { values, faults } = readBody(resource, body, {
    mode: 'create',
    data: transaction.data,
    more: options.more ?? {},
  })
  // What is no object has no fields to say more of.
  const stated = objectOf(body)
  const prepared = accepted(resource, { values, faults }, { stated, input, transaction, before: null }, options)
  const made = transaction.tryCreate(resource.kind, prepared)
  if (!made.row) throw refused(resource, stated, made.faults)
  if (resource.tenant) mustReachTenant(transaction.data, input.user, resource.tenant(made.row, transaction.data))
  options.after?.(made.row, stated, transaction, null)
  if (options.log !== null) {
    transaction.log(
      options.log?.(made.row, transaction) ?? `Created ${resource.label} with ${named(resource, made.row)}`,
    )
  }
  return made.row
}

export function update<K extends string = string>(
  path: string,
  how: Writing<K> & Single & { partial?: boolean },
): Bound<WriteEndpoint, K> {
  const options: Writing & Single & { partial?: boolean } = untyped(how)
  return (resource) => {
    const mode = options.partial ? 'patch' : 'replace'
    const whole = { body: recordBody(resource, mode, bodyOf(options)), mode } as const
    const patch = recordBody(resource, 'patch', bodyOf(options))
    return {
      method: options.method ?? 'PUT',
      path,
      role: options.role,
      reach: reachOf(resource, options),
      summary: options.summary ?? `Change one of ${resource.kind}`,
      ...recordQuery(path),
      body: whole.body,
      patch,
      response: writtenSchema(resource, options),
      subject: (input, data) => subjectOf(resource, findRow(resource, input, data, options), input, data),
      write: (input, transaction) => {
        const { body, mode } = input.partial ? ({ body: patch, mode: 'patch' } as const) : whole
        const before = findRow(resource, input, transaction.data, options)
        const stated = withGiven(body.read(input.body), input, transaction.data, options)
        const asked = { stated, input, transaction, before }
        const how = {
          mode,
          data: transaction.data,
          strict: input.partial ?? false,
          more: options.more ?? {},
        }
        const prepared = accepted(resource, readBody(resource, stated, how), asked, options)
        const made = transaction.tryUpdate(resource.kind, before.id, prepared)
        if (!made.row) throw refused(resource, stated, made.faults)
        if (resource.tenant) mustReachTenant(transaction.data, input.user, resource.tenant(made.row, transaction.data))
        options.after?.(made.row, stated, transaction, before)
        const line =
          options.log?.(made.row, transaction) ?? `Updated ${resource.label} with ${named(resource, made.row)}`
        transaction.log(`${line}${changedFields(resource, { before, after: made.row }, prepared)}`)
        return written(resource, made.row, input, transaction, options, 'updated')
      },
    }
  }
}

export function remove<K extends string = string>(
  path: string,
  how: Single & Pick<Writing<K>, 'text' | 'allow' | 'log'>,
): Bound<WriteEndpoint, K> {
  const options: Single & Pick<Writing, 'text' | 'allow' | 'log'> = untyped(how)
  return (resource) => ({
    method: 'DELETE',
    path,
    role: options.role,
    reach: reachOf(resource, options),
    ...recordQuery(path),
    summary: options.summary ?? `Delete one of ${resource.kind}`,
    body: 'none',
    subject: (input, data) => subjectOf(resource, findRow(resource, input, data, options), input, data),
    *write(input, transaction) {
      const before = findRow(resource, input, transaction.data, options)
      options.allow?.(input, transaction, before, {})
      const text = options.text?.(before, transaction) ?? `${resource.label} was deleted.`
      const log = options.log?.(before, transaction) ?? `Deleted ${resource.label} with ${named(resource, before)}`
      yield* transaction.removeInSteps(resource.kind as Kind, before.id)
      transaction.log(log)
      return { alerts: [success(text)] }
    },
  })
}

/** A path that names no record has it in the query. */
const recordQuery = (path: string) =>
  path.includes(':') ? {} : { query: { id: numberQuery('The record.', { min: 1 }) } }

export const success = (text: string): Alert => ({ level: 'success', text })

/** A record as this version reads it by id, and what its lists are asked by. */
export function subjectOf(resource: Resource, row: Row, { version, user }: RequestInput, data: Data): Subject {
  const { kind, key } = resource
  return {
    kind: kind as Kind,
    id: row.id,
    names: { id: String(row.id), ...(key ? { [key]: String(row[key]) } : {}) },
    answer: { response: [present(resource, row, { data, version, user, single: true })] },
  }
}

function written(
  resource: Resource,
  row: Row,
  input: RequestInput,
  transaction: Transaction,
  options: Writing,
  verb: string,
): Result {
  const { version, user } = input
  const now = transaction.data.get(resource.kind as Kind, row.id) as Row
  const shape = options.reply
    ? options.reply(now, input, transaction)
    : presentWritten(resource, now, { data: transaction.data, version, user })
  const text = options.text?.(now, transaction) ?? `${resource.label} was ${verb}.`
  return { response: options.array ? [shape] : shape, alerts: [success(text)] }
}

function writtenSchema(resource: Resource, { replied, array }: Writing): TSchema {
  const shape = replied ?? rowSchema(resource)
  return array ? Type.Array(shape) : shape
}

const bodyOf = ({ given = {}, more = {} }: Writing) => ({ given: Object.keys(given), more })

function withGiven(body: Values, input: RequestInput, data: Data, { given = {} }: Writing): Values {
  const values = Object.fromEntries(Object.entries(given).map(([name, find]) => [name, find(input, data)]))
  return { ...body, ...values }
}

const named = (resource: Resource, row: Row): string =>
  resource.key ? `${resource.key} ${row[resource.key]} (id ${row.id})` : `id ${row.id}`
