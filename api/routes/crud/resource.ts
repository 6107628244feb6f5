import type { TSchema } from '@sinclair/typebox'
import type { Version } from '../../config/apiVersions.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Endpoint } from '../../operations/endpoint.js'
import { kindOf } from '../../records/kinds/index.js'
import type { Data, Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Caller } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'

export interface Presenting {
  readonly data: Data
  readonly version: Version
  readonly user: Caller
  /** The record is read by id, where the interface gives that read a shape of its own. */
  readonly single?: boolean
}

/** A record with the names of what it refers to, as `join` makes it. */
export type JoinedRow<R> = R & Readonly<Record<string, unknown>>

/** How the records of a kind are shown, and the routes by which they are read and written. */
export interface Presentation<R, K extends string = string> {
  /** The first version that has the kind, and so all its routes; without one, all have. */
  readonly since?: Version
  /** How versions 1.1 and 1.2 differ from the native shape of 1.3, where a list is enough to say it. */
  readonly legacy?: {
    /** Number fields that stay numbers; all others are strings. */
    readonly numbers?: readonly string[]
    readonly omit?: readonly string[]
    readonly rename?: Readonly<Record<string, string>>
  }
  /** Presenters where a list is not enough. A version without one takes the newest older one's. */
  readonly present?: { readonly [V in Version]?: (row: JoinedRow<R>, context: Presenting) => object }
  /** What 1.3 shows beside or instead of the fields, for the OpenAPI document; `null`: it does not show that field. */
  readonly shown?: Readonly<Record<string, TSchema | null>>
  /** The reply to a create or update under 1.1 and 1.2; by default the read shape with native numbers. */
  readonly writeResponse?: (row: JoinedRow<R>, context: Presenting) => object
  readonly routes: readonly ((resource: Of<K>) => Endpoint)[]
}

/** A kind with its presentation, as the machinery handles them all. */
export type Resource = RecordKind & Presentation<Row>

/** That of one kind: routes that are typed by another are refused where it is declared. */
export type Of<K extends string> = Resource & { readonly kind: K }

/** One declaration per kind that has routes. */
export const defineResource = <K extends Kind>(kind: K, presentation: Presentation<Records[K], K>): Resource =>
  // Whoever presents hands over rows of the resource's own kind.
  Object.freeze({ ...kindOf(kind), ...presentation, routes: dated(presentation) }) as unknown as Resource

const dated = <K extends string>({ since, routes }: Pick<Presentation<never, K>, 'since' | 'routes'>) =>
  since ? routes.map((route) => (resource: Of<K>) => ({ since, ...route(resource) })) : routes
