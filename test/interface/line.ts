import type { Version } from '../../api/config/apiVersions.js'
import type { levels } from '../../api/schema/privileges.js'
import type { Shape } from './shape.js'
import type { World } from './world.js'

/** What a request is filled with. */
export interface Filled {
  /** The path's parameters, in their order. */
  readonly params?: readonly (string | number)[]
  readonly query?: string
  readonly body?: unknown
}

/** One row of the interface: how to ask, who may, what must come, and what is refused. */
export interface Line {
  /** Method and path as the row has them, without the version and `.json`. */
  readonly row: string
  readonly role: keyof typeof levels
  /** Asked anew for every version: a write needs a record of its own each time. */
  readonly fill?: (world: World) => Filled | Promise<Filled>
  /** Of the key `response`, or of the whole body with `bare`. A version without one has that of the one before. */
  readonly shape?: Shape | { readonly [V in Version as `v${V}`]?: Shape }
  readonly bare?: true
  /** Not JSON: the content type. */
  readonly text?: string
  /** Something else than 200. */
  readonly status?: number
  /** Parameters of the path (by position) that name no record. */
  readonly free?: readonly number[]
  /** What each field of the body refuses. One value at a time is one alert that names the field. */
  readonly invalid?: Readonly<Record<string, readonly unknown[]>>
  /** How many alerts there are when all fields are wrong; otherwise one for each. */
  readonly atOnce?: number
  /** Puts a body into the form the row wants, when its fields are not at the top. */
  readonly wrap?: (body: object) => unknown
  /** How alerts name a field that they do not call by its name. */
  readonly toldAs?: Readonly<Record<string, RegExp>>
}

/** Values that no text takes. */
export const notText = [true, {}, ['a']] as const
/** Values that no required line of text takes. */
export const notName = ['', null, 'two\nlines', 'nul\u0000', 'x'.repeat(70_000), ...notText] as const
/** Values that no optional line of text takes. */
export const notOptional = ['two\nlines', 'nul\u0000', 'x'.repeat(70_000), ...notText] as const
export const notId = [null, 'no-such-name', 0, -5, 1.5, 9_999_999, true, {}, [1]] as const
export const notFlag = ['maybe', 2, {}, [], 'yes'] as const
export const notInteger = ['x', 1.5, -1, true, {}, [1], 1e300] as const
