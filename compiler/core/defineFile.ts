import type { Cdn, Profile, Server } from '../data/model.js'
import type { Making } from './reader.js'

export type Scope = 'servers' | 'profiles' | 'cdns'

export interface Subjects {
  servers: Server
  profiles: Profile
  cdns: Cdn
}

/** What a view is given, and all it may use: no clock, no randomness, no environment. */
export interface CompileContext<S extends Scope = Scope> extends Making {
  /** The server, profile or CDN the file is for. */
  readonly subject: Subjects[S]
  /** The file's name as asked for, e.g. `hdr_rw_news.config`. */
  readonly file: string
  /** Where the service is found that compiles; it never changes while that runs. */
  readonly serviceUrl: string
  /** The named groups of the definition's pattern, e.g. `{ xmlId: 'news' }`. */
  readonly parts: Readonly<Record<string, string>>
}

/** Plain data for the template. `null`, never `undefined`, for what is absent. */
export type View = object

type ViewOf<S extends Scope> = (context: CompileContext<S>) => View

/** Thrown by a view when the file does not exist for this subject; the API answers 404 with the text. */
export class FileMissing extends Error {
  override name = 'FileMissing'
}

export interface ConfigFile {
  /** The file's exact name, or a pattern anchored at both ends whose named groups become `parts`. */
  readonly name: string | RegExp
  /** File name below `templates/`, without `.hbs`. */
  readonly template: string
  /** One view per scope the file can be asked in. */
  readonly views: { readonly [S in Scope]?: ViewOf<S> }
  /** The scope the listing names, given the name of the server's type. */
  readonly listedScope: (serverType: string) => Scope
  readonly contentType: string
  /** It holds the keys of the delivery service that this part of its name names: for those of its tenant only. */
  readonly keysOf?: string
}

interface Declaration<S extends Scope> {
  readonly name: string | RegExp
  readonly template?: string
  readonly contentType?: string
  readonly keysOf?: string
  readonly view: ViewOf<S>
}

export const serverFile = (declaration: Declaration<'servers'>) => inOneScope('servers', declaration)
export const profileFile = (declaration: Declaration<'profiles'>) => inOneScope('profiles', declaration)
export const cdnFile = (declaration: Declaration<'cdns'>) => inOneScope('cdns', declaration)

/** A file whose scope depends on the type of the server (cache.config). */
export function defineConfigFile(declaration: {
  name: string | RegExp
  template?: string
  contentType?: string
  keysOf?: string
  views: ConfigFile['views']
  listedScope: ConfigFile['listedScope']
}): ConfigFile {
  const { name, contentType = 'text/plain; charset=utf-8', keysOf, views, listedScope } = declaration
  const template = declaration.template ?? (typeof name === 'string' ? name : undefined)
  if (template === undefined) throw new Error(`a file defined by the pattern ${name} must name its template`)
  return Object.freeze({ name, template, views, listedScope, contentType, ...(keysOf && { keysOf }) })
}

function inOneScope<S extends Scope>(scope: S, { view, ...declaration }: Declaration<S>): ConfigFile {
  return defineConfigFile({ ...declaration, views: { [scope]: view }, listedScope: () => scope })
}

/**
 * A document that monitors or routers run on, made for one CDN. It is a config file of scope `cdns` that holds
 * JSON and is asked for by routes of its own. Who made it and when is no part of it: see snapshots/stats.ts.
 */
export type Snapshot = ConfigFile & { readonly name: string }

export function defineSnapshot(declaration: {
  name: string
  template?: string
  view: (context: CompileContext<'cdns'>) => View
}): Snapshot {
  return cdnFile({ ...declaration, contentType: 'application/json; charset=utf-8' }) as Snapshot
}
