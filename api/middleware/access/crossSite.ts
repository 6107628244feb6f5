import type { IncomingMessage } from 'node:http'
import { forbidden } from '../../config/errors.js'
import type { Settings } from '../../config/settings.js'

/**
 * Refuses a change that a page of another site had a browser ask for: the browser adds the session's cookie by itself,
 * whatever the page and the content type. `Sec-Fetch-Site` and `Origin` are the browser's word, no page can set them;
 * programs send neither. Over plain HTTP browsers leave out the first, and of a GET the second, too: one that changes
 * something has to come from a page of ours by its `Referer`. Whoever shows an API token shows what no browser adds by
 * itself. A browser says `same-origin` of the address it asked: behind a proxy that is another than the `Host` that
 * arrives here.
 */
export function refuseForeign(
  { method, headers, socket }: Pick<IncomingMessage, 'method' | 'headers' | 'socket'>,
  { publicOrigin, secureCookies }: Pick<Settings, 'publicOrigin' | 'secureCookies'>,
): void {
  if (headers.authorization?.startsWith('Bearer ')) return
  const { host = '' } = headers
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return
  const isUnsaid = method === 'GET' && site === undefined && headers.origin === undefined
  const origin = isUnsaid ? originOfPage(headers) : headers.origin
  const isOwn = (): boolean => {
    if (origin === publicOrigin) return true
    // Before a proxy that speaks TLS the service itself hears plain HTTP.
    const isPlain = !secureCookies && !('encrypted' in socket)
    return origin === originOf(`https://${host}`) || (isPlain && origin === originOf(`http://${host}`))
  }
  // A page of the same site is still another page's: only its origin can tell that it is ours.
  const isForeign = origin === undefined ? site !== undefined && site !== 'none' : site === 'cross-site' || !isOwn()
  if (isForeign) throw forbidden(`Forbidden. The request comes from a page of another site. ${whyForeign(origin)}`)
}

/** Of the page that a request comes from; browsers, all of which call themselves so, may be told not to say. */
function originOfPage({ referer, 'user-agent': agent }: IncomingMessage['headers']): string | undefined {
  if (referer !== undefined) return originOf(referer) ?? 'null'
  return agent?.startsWith('Mozilla/') ? 'null' : undefined
}

/** For whoever put a proxy before the service and has to tell it so. */
const whyForeign = (origin: string | undefined): string =>
  origin && originOf(origin) === origin
    ? `If the service's own pages are at ${origin}, its PUBLIC_URL must say so.`
    : 'It does not say which.'

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)
