import { type TSchema, Type } from '@sinclair/typebox'

/**
 * The query parameters of a route, as OpenAPI tells clients. They all come as text, and a value of another form is
 * refused or passed over by whoever reads it, as the interface has it.
 */
export type QueryParameters = Readonly<Record<string, TSchema>>

export const textQuery = (description: string) => Type.String({ description })

export const numberQuery = (description: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  Type.Integer({ description, minimum: min, maximum: max })

/** Only `true` is a yes. */
export const flagQuery = (description: string) => Type.Boolean({ description })

export const choiceQuery = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, description })

const atMost = { max: 999_999_999 }

/** Every list takes these; without them the whole list comes in its natural order. */
export const listQuery = {
  orderby: textQuery('The field to sort by; unknown fields are ignored.'),
  sortOrder: choiceQuery(['asc', 'desc'], 'Which end to begin with.'),
  limit: numberQuery('At most so many records.', atMost),
  offset: numberQuery('Leave out so many records first.', atMost),
  page: numberQuery('The page of `limit` records, from 1.', { min: 1, ...atMost }),
} as const

/** The longest a request is held, in seconds; proxies give up on a silent one soon after. */
export const longestWait = 60

/** Every answer that is kept until what it read changes can be waited for. */
export const waitQuery = {
  wait: Type.String({
    pattern: '^[0-9]{1,4}s?$',
    description: `Hold the request until the answer differs from If-None-Match or rev, at most so many seconds (up to ${longestWait}), for instance 30s.`,
  }),
  rev: numberQuery('With wait: the X-Edgewright-Revision of the answer the client has.'),
} as const

/** Every write takes it. */
export const dryRunQuery = { dryRun: flagQuery('Answer what it would, and change nothing.') } as const
