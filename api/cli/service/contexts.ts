import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDirectory, writeWhole } from '../../config/directory.js'
import { CommandFailed } from '../failed.js'

/** A running service, and the token by which it is asked. */
export interface Context {
  readonly url: string
  readonly token: string
  /** By which the service revokes it. */
  readonly tokenId?: number
}

/** The services somebody works with, by the names they gave them. */
export interface Contexts {
  readonly current: string | null
  readonly contexts: Readonly<Record<string, Context>>
}

export const contextFile = (): string =>
  join(process.env.XDG_CONFIG_HOME?.trim() || join(homedir(), '.config'), 'edgewright', 'context.json')

/** What the file holds; nothing when there is none. Tokens that others could read are not used. */
export function readContexts(file = contextFile()): Contexts {
  if (!existsSync(file)) return { current: null, contexts: {} }
  const { mode } = statSync(file)
  if ((mode & 0o077) !== 0) throw new CommandFailed(`${file} holds tokens and others may read it: chmod 600 ${file}`)
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (!isContexts(given))
    throw new CommandFailed(`${file} must be {"current": name, "contexts": {name: {"url", "token"}}}`)
  return given
}

export function writeContexts(contexts: Contexts, file = contextFile()): void {
  makeDirectory(dirname(file))
  writeWhole(file, `${JSON.stringify(contexts, null, 2)}\n`)
}

/** The context of a name, or a fault that says which there are. */
export function contextNamed(name: string, { contexts } = readContexts()): Context {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined
  if (found) return found
  const names = Object.keys(contexts)
  throw new CommandFailed(
    `there is no context '${name}'; ${names.length > 0 ? `there are ${names.join(', ')}` : "make one with 'edgewright login URL'"}`,
  )
}

function isContexts(given: unknown): given is Contexts {
  if (!isObject(given) || !isObject(given.contexts)) return false
  const isOne = (one: unknown) => isObject(one) && typeof one.url === 'string' && typeof one.token === 'string'
  return (
    (given.current === null || given.current === undefined || typeof given.current === 'string') &&
    Object.values(given.contexts).every(isOne)
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
