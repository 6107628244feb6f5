import type Koa from 'koa'
import type { RequestInput } from '../operations/endpoint.js'
import type { Place } from '../operations/transfer/importRoom.js'
import type { Credentials } from './access/credentials.js'
import type { HttpResponse } from './answerBody.js'
import type { Found } from './found.js'
import type { Target } from './target.js'

/** What the middlewares of a request tell each other, in the order in which they find it out. */
export interface State {
  requestId: string
  address: string
  target: Target
  /** Who asks; `null` without valid credentials. */
  credentials: Credentials | null
  /** Set by the routers, for what stands behind them. */
  found: Found
  /** Of its body, among those that arrive and wait. */
  place: Place
  input: RequestInput
  /** What is sent in the end; not there when no route was found. */
  response?: HttpResponse
}

export type Middleware = Koa.Middleware<State>
export type Context = Koa.ParameterizedContext<State>
