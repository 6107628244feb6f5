import { askedSecretly } from './confirmed.js'
import { CommandFailed } from './failed.js'
import { createClient } from './service/client.js'
import type { Context } from './service/contexts.js'
import { contextFile, contextNamed, readContexts, writeContexts } from './service/contexts.js'
import { checked } from './service/which.js'
import { table } from './table.js'

interface LoginOptions {
  readonly user?: string
  readonly context?: string
  readonly days?: string
}

/** Makes an API token at a service and keeps it as a context; the password is asked for, used once and kept nowhere. */
export async function loginCommand(url: string, { user = 'admin', context, days = '90' }: LoginOptions): Promise<void> {
  const target = checked('the URL', url)
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new CommandFailed('--days must be a whole number from 1 to 9999')
  const password = process.env.EDGEWRIGHT_PASSWORD ?? (await passwordAsked(user, target))
  const client = createClient({ name: target.origin, url: target, token: '' })
  const { headers } = await client.ask('POST', 'user/login', { body: { u: user, p: password } })
  const cookie = (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ')
  const expires = new Date(Date.now() + Number(days) * 86_400_000).toISOString()
  const { response } = await createClient({ name: target.origin, url: target, token: '', cookie }).ask<{
    id: number
    token: string
  }>('POST', 'tokens', { body: { description: 'edgewright login', expires } })
  const name = context ?? target.host
  const { contexts } = readContexts()
  const made: Context = { url: target.href, token: response.token, tokenId: response.id }
  writeContexts({ current: name, contexts: { ...contexts, [name]: made } })
  process.stdout.write(
    `Logged in to ${target.origin} as ${user} until ${expires.slice(0, 10)}; '${name}' is the current context.\n`,
  )
}

async function passwordAsked(user: string, { origin }: URL): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandFailed('nobody is there to type the password: set EDGEWRIGHT_PASSWORD')
  return askedSecretly(`Password of ${user} at ${origin}: `)
}

/** Has the service revoke the token of a context, and forgets it. */
export async function logoutCommand(given: string | undefined): Promise<void> {
  const { current, contexts } = readContexts()
  const name = given ?? current
  if (name === null) throw new CommandFailed('there is no current context')
  const { url, token, tokenId } = contextNamed(name)
  const client = createClient({ name: url, url: new URL(url), token })
  const fault =
    tokenId === undefined
      ? null
      : await client.ask('DELETE', `tokens/${tokenId}`).then(
          () => null,
          (error: unknown) => (error as Error).message,
        )
  const { [name]: _, ...others } = contexts
  writeContexts({ current: current === name ? null : current, contexts: others })
  process.stdout.write(`The context '${name}' is forgotten.\n`)
  if (fault !== null) throw new CommandFailed(`its token could not be revoked: ${fault}`)
}

export async function contextListCommand(): Promise<void> {
  const { current, contexts } = readContexts()
  const rows = Object.entries(contexts).map(([name, { url }]) => [name === current ? '*' : '', name, url])
  process.stdout.write(
    rows.length === 0 ? `There are no contexts in ${contextFile()}.\n` : table(['', 'context', 'url'], rows),
  )
}

export async function contextUseCommand(name: string): Promise<void> {
  const given = readContexts()
  contextNamed(name, given)
  writeContexts({ ...given, current: name })
  process.stdout.write(`'${name}' is the current context.\n`)
}
