import type { TSchema } from '@sinclair/typebox'
import type { ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Reach, Role } from '../../schema/privileges.js'

/** A list that is no resource's own: what links records, or what they are asked for beside themselves. */
export const reading =
  (
    path: string,
    summary: string,
    shown: TSchema,
    response: (input: RequestInput, data: Data) => unknown,
    reach: Reach = 'shared',
    role: Role = 'any',
  ) =>
  (): ReadEndpoint => ({
    method: 'GET',
    path,
    role,
    reach,
    summary,
    query: listQuery,
    response: shown,
    read: (input, data) => ({ response: response(input, data) }),
  })
