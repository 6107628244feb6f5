import type { TSchema } from '@sinclair/typebox'
import type { Artifact } from '../../compiler/core/artifacts.js'
import type { Version } from '../config/apiVersions.js'
import type { Alert } from '../config/errors.js'
import type { Committer } from '../journal/commit.js'
import type { Transaction } from '../journal/transaction.js'
import type { Data, Kind } from '../schema/data.js'
import type { Caller, Reach, Role } from '../schema/privileges.js'
import type { Call } from './backup/restoring.js'
import type { EventStream } from './eventStream.js'
import type { QueryParameters } from './queryParameters.js'

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Method = 'GET' | WriteMethod

/** The record that a write is about, as `If-Match` may name it. */
export interface Subject {
  readonly kind: Kind
  readonly id: number
  /** What lists call it: they may have been asked for it alone. */
  readonly names: Readonly<Record<string, string>>
  /** It as it is read by id. */
  readonly answer: Result
}

/** What one request asks, already checked: role, body schema, query. */
export interface RequestInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON body; `undefined` when there was none. */
  readonly body: unknown
  /** It was asked by PATCH: what the body leaves out stays as it is, and nothing in it is passed over. */
  readonly partial?: true
  readonly version: Version
  readonly user: Caller
  /** Lower-case request headers. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Where the request came from, and what it is called in the log; nothing that is kept may depend on them. */
  readonly address: string
  readonly requestId: string
  /** What of the body and the query nothing reads; none when it is not there. */
  readonly ignored?: readonly string[]
}

/** What a handler returns; one place turns it into bytes. */
export interface Result {
  /** The `response` key. */
  readonly response?: unknown
  readonly alerts?: readonly Alert[]
  /** Further top-level keys beside `response`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** The whole body, instead of the envelope. */
  readonly bare?: unknown
  /** Text or bytes as they are, instead of JSON. */
  readonly raw?: { readonly body: string | Uint8Array; readonly contentType: string }
  /** JSON text that is made as the client takes it, for what is too large to make at once. */
  readonly pieces?: AsyncIterable<string>
  /** Server-sent events instead of a body. */
  readonly stream?: (stream: EventStream) => Promise<void>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler returns that says itself how long its answer is good for. Neither: the answer is not kept. */
export interface CacheableResult extends Result {
  /** A compiled file as the body; kept until it or one of `dependencies` moves. */
  readonly compiled?: {
    readonly artifact: Artifact
    /** What found the file's subject, and the revision it was read at. */
    readonly dependencies: Uint32Array
    readonly readAt: number
    readonly fileName: string
  }
  /** The answer is kept until one of `dependencies`, or what `artifact` read, moves. */
  readonly kept?: {
    readonly dependencies: Uint32Array
    readonly readAt: number
    readonly artifact?: Artifact
    /** Names the bytes, where hashing megabytes once more can be saved. */
    readonly etag?: string
  }
}

/**
 * A body, declared once: what the document says of it, and what a handler gets of it. `RequestInput` has it as it came, of
 * unknown type, so that there is no way to it but this one.
 */
export interface Body<T = unknown> {
  readonly schema: TSchema
  /** @throws ApiError 400 with all that is wrong */
  readonly read: (given: unknown) => T
}

/**
 * What is sent along: a body by whose declaration the handler reads it, none, or bytes that the handler takes from the
 * request as they come. Every route but a GET has to say.
 */
type Sent =
  | { readonly method: 'GET'; readonly body?: 'none' }
  | { readonly method: WriteMethod; readonly body: Body | 'none' | 'bytes' }

interface Common {
  /** Below `/api/<version>`, with `:name` parameters; `.json` may always follow. */
  readonly path: string
  /** A GET that changes something, as a few of the interface do: not for HEAD, nor for tokens that may only read. */
  readonly changes?: boolean
  /** A path that has no version, e.g. `/update/:host`. Presented as 1.3. */
  readonly unversioned?: boolean
  /** The least role that may call it; `none` needs no session. */
  readonly role: Role
  /** Whose records it touches; beside the role, what decides who may call it. */
  readonly reach: Reach
  /** The first version that has it; without one, all have. */
  readonly since?: Version
  readonly summary: string
  /** Query parameters and what they mean; others are ignored. */
  readonly query?: QueryParameters
  /** Largest body in bytes; default 1 MiB, and 16 KiB where no session is needed. */
  readonly bodyLimit?: number
  /** The body is an import document, which may be large: it is parsed as it arrives. */
  readonly importBody?: boolean
  /** A body that is no JSON is taken for a form. */
  readonly form?: true
  /** The handler gets the body's text as it came, once it is known to be JSON. */
  readonly textBody?: boolean
  /** The shape of `response` for OpenAPI, in native types. */
  readonly response?: TSchema
  /** The whole body for OpenAPI, where it is not in an envelope. */
  readonly document?: TSchema
  /**
   * It answers private keys, or all that the store holds: who read them is logged. Its answers are never kept. The whole
   * store is no token's that may merely `read`: password hashes and sealed keys are in it.
   */
  readonly reveals?: 'private keys' | 'the whole store'
  /** Statuses from 400 on that it gives beside those that all of its sort can give, for the OpenAPI document. */
  readonly fails?: readonly (401 | 410 | 501)[]
  /** It answers 302: what was asked for is done, and seen elsewhere. */
  readonly redirects?: true
  /** The content type of an answer that is not JSON. */
  readonly produces?: string
}

/** A pure function of the data at a revision: its answer is kept until something it read changes. */
export interface ReadEndpoint extends Common {
  readonly method: 'GET'
  readonly body?: 'none'
  /** `caller`: the answer depends on who asks, beyond role, tenant and scopes; otherwise it is not told who that is. */
  readonly varies?: 'caller'
  /** `model`: it reads what compiles read, so only fields they can see make it stale, and parts are shared with others. */
  readonly reads?: 'model'
  readonly read: (input: RequestInput, data: Data) => Result
}

/**
 * Waits for a compile or a frozen document and says itself what its answer depends on: it is kept until that moves.
 * Whatever it reads to find and to permit the answer belongs to the reading it notes. Of the caller and the headers it
 * is told no more than a `ReadEndpoint`, because that is what the answer is kept under.
 */
export interface CachedEndpoint extends Common {
  readonly method: 'GET'
  readonly body?: 'none'
  readonly varies?: 'caller'
  readonly keeps: (input: RequestInput) => Promise<CacheableResult>
}

/** What is decided at once, or in steps: whatever grows with what there is, a record a step. */
export type Decision = Result | Generator<void, Result>

/**
 * Decides one journal entry on the data at the head revision, and again when another was first or its steps turn out to
 * be many: it may not wait for anything, nor change anything but by its transaction.
 */
export type WriteEndpoint = Common &
  Sent & {
    /** What takes time or chance, such as hashing a password: done once, before the decision, on what was asked. */
    readonly prepare?: (input: RequestInput) => Promise<RequestInput>
    /** The body by which PATCH asks the same of the same path, of some fields only: it is another route of that path. */
    readonly patch?: Body
    /** The one record it changes; throws what the write would, when there is none that the caller reaches. */
    readonly subject?: (input: RequestInput, data: Data) => Subject
    readonly write: (input: RequestInput, transaction: Transaction) => Decision
  }

/** The one call that a handler answers. */
export interface Calling extends Call {
  /** Decides and tries only for as long as the caller may do what they asked. */
  readonly committer: Committer
  /** Says when the client has hung up: what takes long need not be finished then. */
  readonly gone: AbortSignal
}

/** Anything that waits for something else: logins, the journal's history, monitors. Never kept. */
export type LiveEndpoint = Common &
  Sent & {
    readonly live: (input: RequestInput, call: Calling) => Promise<Result>
  }

export type Endpoint = ReadEndpoint | CachedEndpoint | WriteEndpoint | LiveEndpoint

/** What the document says of the body that a route takes; `null` when it takes none, or bytes. */
export const bodySchema = ({ body = 'none' }: Endpoint): TSchema | null =>
  body === 'none' || body === 'bytes' ? null : body.schema

/** Whether it changes what is there, so that `If-Match` may say what the caller believes that is. */
export const isOfOneState = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'GET' && method !== 'POST'

/** Whether asking changes something: every method but GET, and a few GETs of the interface. */
export const changes = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' || 'write' in endpoint || endpoint.changes === true
