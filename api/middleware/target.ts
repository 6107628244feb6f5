import { createHash } from 'node:crypto'
import type { Found } from './found.js'

/**
 * What the URL of a request asks. This is the only reader of URLs: which route is found, what the handler gets and what
 * an answer is kept under are all made from its result, so no two spellings can be taken for each other.
 */
export interface Target {
  /** The path as it was sent, without the query; in the one spelling that RFC 3986 has for it. */
  readonly path: string
  /** The first value of each parameter, by name in order, without a long poll's; no prototype, so no name means anything. */
  readonly query: Readonly<Record<string, string>>
  /** How the client wants to wait for the answer, which is no part of what it asks. */
  readonly longPoll: { readonly wait?: string; readonly rev?: string }
}

export function targetOf(url: string): Target {
  const at = url.indexOf('?')
  const path = spelled(at < 0 ? url : url.slice(0, at))
  const { wait, rev, ...rest } = at < 0 ? none : parsed(url.slice(at + 1))
  const longPoll = { ...(wait === undefined ? {} : { wait }), ...(rev === undefined ? {} : { rev }) }
  return { path, query: inOrder(rest), longPoll }
}

/** As proxies are asked, a request may name the host with the path; and what needs no escape may be escaped. */
function spelled(path: string): string {
  const own = path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
  // What holds a lone % is no address: it stays what it is, to be read once and not twice.
  if (!own.includes('%') || /%(?![0-9a-f]{2})/i.test(own)) return own
  return own.replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, (escaped) => decodeURIComponent(escaped))
}

/** The parameters of these names. */
export function queryOf(names: ReadonlySet<string>, { query }: Pick<Target, 'query'>): Target['query'] {
  const own = Object.create(null) as Query
  for (const name of Object.keys(query)) if (names.has(name)) own[name] = query[name]!
  return own
}

/** A short name of what a target asks: equal for two that ask the same, for no others. */
export function keyOf({ endpoint, version, params }: Found, query: Target['query']): string {
  return digest([endpoint.path, version, Object.entries(params), Object.entries(query)])
}

/** A hash of a value's JSON that nobody finds a second value for. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 27)

type Query = Record<string, string>

const none: Query = Object.freeze(Object.create(null) as Query)

function parsed(text: string): Query {
  const query = Object.create(null) as Query
  for (const [name, value] of new URLSearchParams(text)) if (!(name in query)) query[name] = value
  return query
}

function inOrder(query: Query): Query {
  const ordered = Object.create(null) as Query
  for (const name of Object.keys(query).sort()) ordered[name] = query[name]!
  return ordered
}
