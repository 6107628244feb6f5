import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { type Duplex, Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { quoted } from '../../config/errors.js'
import { CommandFailed } from '../failed.js'

/** A service that a command asks: one that runs somewhere, or one on the store of this machine. Both are asked the same. */
export interface Client {
  /** What people call it. */
  readonly name: string
  /**
   * The answer's `response` and alerts.
   *
   * @param path below `/api/1.3/`, or a whole path that begins with `/`
   * @throws Refused when the service says no; CommandFailed when it does not answer
   */
  ask<T>(method: Method, path: string, sent?: Sent): Promise<Answer<T>>
  /** What a GET answers, as it comes. Reading it fails as `ask` does. */
  open(path: string, sent?: Pick<Sent, 'query'>): Promise<Opened>
  /** What a GET answers that has no `response`: a JSON object. */
  document(path: string, sent?: Pick<Sent, 'query'>): Promise<Readonly<Record<string, unknown>>>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Sent {
  readonly query?: Readonly<Record<string, string | undefined>>
  /** What is sent as JSON; a string is JSON already. */
  readonly body?: unknown
}

export interface Answer<T> {
  readonly response: T
  readonly alerts: readonly { readonly level: string; readonly text: string }[]
  readonly headers: IncomingMessage['headers']
}

export interface Opened {
  readonly headers: IncomingMessage['headers']
  readonly body: Readable
}

/** The service answered that it does not do what it was asked. */
export class Refused extends CommandFailed {
  override name = 'Refused'

  constructor(
    message: string,
    readonly status: number,
    readonly texts: readonly string[],
  ) {
    super(message)
  }
}

/** How a service is reached. */
export interface Reached {
  readonly name: string
  readonly url: URL
  readonly token: string
  /** A session, instead of a token. */
  readonly cookie?: string
  /** Instead of a socket. */
  readonly connect?: () => Duplex
}

export function createClient(reached: Reached): Client {
  const send = (method: Method, path: string, { query, body }: Sent) => sent(reached, method, at(path, query), body)
  const open = async (path: string, given: Pick<Sent, 'query'> = {}): Promise<IncomingMessage> => {
    const answer = await send('GET', path, given)
    if (answer.statusCode !== 200) throw refusal(answer, await whole(answer, reached), reached, path)
    return answer
  }
  return {
    name: reached.name,
    ask: async (method, path, given = {}) => {
      const answer = await send(method, path, given)
      const text = await whole(answer, reached)
      if (answer.statusCode !== 200) throw refusal(answer, text, reached, path)
      const { response, alerts = [] } = parsed(text, reached) as Envelope
      if (!Array.isArray(alerts)) throw notOurs(reached)
      // What the route answers, which whoever asks it knows.
      return { response: response as never, alerts, headers: answer.headers }
    },
    open: async (path, given) => {
      const answer = await open(path, given)
      return { headers: answer.headers, body: Readable.from(pieces(answer, reached), { objectMode: false }) }
    },
    document: async (path, given) => parsed(await whole(await open(path, given), reached), reached),
  }
}

function at(path: string, query: Sent['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  const asked = new URLSearchParams(given).toString()
  return `${path.startsWith('/') ? path : `/api/1.3/${path}`}${asked === '' ? '' : `?${asked}`}`
}

/** Node's own client: it honours NODE_EXTRA_CA_CERTS, and takes a connection that is none of a network. */
function sent(
  { url, token, cookie, connect, name }: Reached,
  method: Method,
  path: string,
  body: unknown,
): Promise<IncomingMessage> {
  const payload = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const options: RequestOptions = {
    method,
    headers: {
      'user-agent': 'edgewright',
      accept: 'application/json, */*',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
    },
    ...(connect ? { createConnection: connect } : {}),
  }
  const target = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)
  return new Promise((resolve, reject) => {
    const asked = (target.protocol === 'https:' ? tlsRequest : plainRequest)(target, options, resolve)
    asked.on('error', (error) => reject(new CommandFailed(`${name} does not answer: ${reasonOf(error)}`)))
    asked.end(payload ?? undefined)
  })
}

async function* pieces(answer: IncomingMessage, { name }: Reached): AsyncGenerator<Buffer> {
  try {
    yield* answer as AsyncIterable<Buffer>
  } catch (error) {
    throw new CommandFailed(`${name} broke off its answer: ${reasonOf(error)}`)
  }
}

const whole = (answer: IncomingMessage, reached: Reached): Promise<string> => textOf(pieces(answer, reached))

/** Where several addresses were tried, the error of each is within. */
const reasonOf = (error: unknown): string => {
  const { code = '', message, errors = [] } = error as AggregateError & { code?: string }
  // OpenSSL says so in two lines, of its own sources.
  if (['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].includes(code))
    return 'no https is understood there; is it http://?'
  return message || errors.map((one: Error) => one.message).join(', ')
}

interface Envelope {
  readonly response?: unknown
  readonly alerts?: { readonly level: string; readonly text: string }[]
}

/** Whoever is there may be anybody. */
function parsed(text: string, reached: Reached): Readonly<Record<string, unknown>> {
  let document: unknown = null
  try {
    document = JSON.parse(text)
  } catch {
    throw notOurs(reached)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw notOurs(reached)
  return { ...document }
}

const notOurs = ({ name }: Reached): CommandFailed =>
  new CommandFailed(`${name} answered what is no JSON of an Edgewright; is one there?`)

function refusal(
  { statusCode: status = 0 }: IncomingMessage,
  text: string,
  { name, token }: Reached,
  path: string,
): Refused {
  const texts = errorTexts(text)
  const said = texts.length > 0 ? texts.join(' ') : quoted(text.trim())
  const login =
    token === '' ? "give a token in EDGEWRIGHT_TOKEN, or use 'edgewright login'" : 'the token is not known there'
  const why = status === 401 && path !== 'user/login' ? `${said} (${login})` : said
  return new Refused(`${name} answered ${status}: ${why}`, status, texts)
}

function errorTexts(text: string): string[] {
  try {
    const { alerts = [] } = JSON.parse(text) as Envelope
    return alerts.filter(({ level }) => level === 'error').map((alert) => alert.text)
  } catch {
    return []
  }
}
