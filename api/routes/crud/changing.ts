import type { TSchema } from '@sinclair/typebox'
import type { Transaction } from '../../journal/transaction.js'
import type { Body, Decision, RequestInput, WriteEndpoint, WriteMethod } from '../../operations/endpoint.js'
import type { QueryParameters } from '../../operations/queryParameters.js'
import type { Reach, Role } from '../../schema/privileges.js'
import type { Resource } from './resource.js'

interface Change {
  readonly method: WriteMethod
  readonly path: string
  readonly summary: string
  readonly query?: QueryParameters
  readonly body: Body | 'none'
  readonly response?: TSchema
}

/** Changes that are no resource's own, such as of what links records: who may make them is said once for all. */
export const changing =
  (by: { readonly role: Role; readonly reach: Reach }) =>
  (change: Change, write: (input: RequestInput, transaction: Transaction, resource: Resource) => Decision) =>
  (resource: Resource): WriteEndpoint => ({
    ...by,
    ...change,
    write: (input, transaction) => write(input, transaction, resource),
  })
