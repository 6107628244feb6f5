import type Koa from 'koa'
import type { Asked } from '../operations/endpoint.js'
import type { Place } from '../operations/transfer/importRoom.js'
import type { Credentials } from './access/credentials.js'
import type { Reply } from './answerBody.js'
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
  /** Of an import document, among those that arrive and wait; `null` for every other body. */
  place: Place | null
  asked: Asked
  /** What is sent in the end; not there when no route was found. */
  reply?: Reply
}

export type Middleware = Koa.Middleware<State>
export type Context = Koa.ParameterizedContext<State>
