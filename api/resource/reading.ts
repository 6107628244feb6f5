import type { TSchema } from '@sinclair/typebox'
import type { Data } from '../data.js'
import type { Asked, ReadEndpoint } from '../endpoint.js'
import type { Reach } from '../roles.js'
import { listQuery } from './lists.js'

/** A list that is no resource's own: what links records, or what they are asked for beside themselves. */
export const reading =
  (
    path: string,
    summary: string,
    shown: TSchema,
    response: (asked: Asked, data: Data) => unknown,
    reach: Reach = 'shared',
  ) =>
  (): ReadEndpoint => ({
    method: 'GET',
    path,
    role: 'any',
    reach,
    summary,
    query: listQuery,
    response: shown,
    read: (asked, data) => ({ response: response(asked, data) }),
  })
