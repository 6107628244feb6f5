import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Negotiator from 'negotiator'
import { packageRoot } from '../../config/packageRoot.js'
import type { HttpResponse } from '../answerBody.js'
import { standingHeaders } from '../standingHeaders.js'
import type { Context, Middleware } from '../state.js'
import { pagePolicy, readmePath, signInPath, signOutPath, welcomePage } from './welcome.js'

/**
 * For a person with a browser, who asks for a page rather than JSON: what is at `/`, and what comes of its forms, which
 * programs use, too, and to which they get what they always did.
 */
export const pages: Middleware = async (ctx, next) => {
  await next()
  const answer = answerFor(ctx)
  if (answer) ctx.state.response = answer
}

function answerFor(ctx: Context): HttpResponse | undefined {
  const { target, response } = ctx.state
  // It was refused before it was known what it asks.
  if (!response || !target) return undefined
  const { path } = target
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (isRead && path === readmePath) return readme === null ? undefined : plain(readme)
  if (!wantsPage(ctx)) return undefined
  if (isRead && path === '/') return page(ctx)
  if (ctx.method !== 'POST' || (path !== signInPath && path !== signOutPath)) return undefined
  return response.status === 200 ? toWelcome(response) : page(ctx, response)
}

const wantsPage = ({ req }: Context): boolean =>
  new Negotiator(req).mediaType(['application/json', 'text/html']) === 'text/html'

function page({ state: { credentials } }: Context, failed?: HttpResponse): HttpResponse {
  const username = credentials?.caller.username ?? null
  const faults = failed && alertsOf(failed)
  const headers = {
    ...(failed?.headers ?? standingHeaders),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    // Without the address a browser would not say of a form whose it is, and it would be refused as another site's.
    'referrer-policy': 'same-origin',
    vary: `${standingHeaders.vary}, Accept`,
  }
  const body = welcomePage({ username, hasReadme: readme !== null, ...(faults && { faults }) })
  return { status: failed?.status ?? 200, headers, body }
}

/** The session's cookie goes along. */
const toWelcome = ({ headers }: HttpResponse): HttpResponse => ({
  status: 303,
  headers: { ...headers, location: '/' },
  body: '',
})

const plain = (body: string): HttpResponse => ({
  status: 200,
  headers: { ...standingHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body,
})

function alertsOf({ body }: HttpResponse): string[] {
  const { alerts = [] } = JSON.parse(String(body)) as { alerts?: { text: string }[] }
  return alerts.map(({ text }) => text)
}

/** It comes with the package; whoever puts together something smaller may leave it out. */
const readme = ((): string | null => {
  try {
    return readFileSync(join(packageRoot, 'README.md'), 'utf8')
  } catch {
    return null
  }
})()
