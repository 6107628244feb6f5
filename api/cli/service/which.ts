import { BadSetting } from '../../config/errors.js'
import { contextFile, contextNamed, readContexts } from './contexts.js'

/** How a command is told which service it is for. */
export interface ServiceOptions {
  readonly url?: string
  readonly token?: string
  readonly context?: string
  readonly local?: boolean
}

/** A running service. */
export interface Remote {
  readonly url: URL
  readonly token: string
}

/**
 * Which service a command is for: the one its options name, or `EDGEWRIGHT_URL`, or the current context; `null` is the
 * store of this machine. Whoever says where a store is means that one, not the context they used last.
 */
export function whichService(options: ServiceOptions, env: NodeJS.ProcessEnv = process.env): Remote | null {
  const { url, token = env.EDGEWRIGHT_TOKEN?.trim(), context, local = false } = options
  if (local) return null
  if (url !== undefined) return { url: checked('--url', url), token: token ?? tokenFor(url) }
  if (context !== undefined) return ofContext(context)
  const named = env.EDGEWRIGHT_URL?.trim()
  if (named) return { url: checked('EDGEWRIGHT_URL', named), token: token ?? tokenFor(named) }
  if (env.DATA_DIR?.trim() || env.MONGODB_URI?.trim()) return null
  const { current } = readContexts()
  return current ? ofContext(current) : null
}

function ofContext(name: string): Remote {
  const { url, token } = contextNamed(name)
  return { url: checked(`the context '${name}' of ${contextFile()}`, url), token }
}

/** The token that a context has for the same service. */
function tokenFor(url: string): string {
  const { contexts } = readContexts()
  const found = Object.values(contexts).find(
    (one) => URL.canParse(one.url) && new URL(one.url).href === new URL(url).href,
  )
  return found?.token ?? ''
}

/** The URL of a service; `from` says where it was given. */
export function checked(from: string, text: string): URL {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new BadSetting(`${from} must begin with http:// or https://, not '${text}'`)
  const url = new URL(text)
  if (url.username || url.password) throw new BadSetting(`${from} must not hold a name or password: use a token`)
  return url
}
