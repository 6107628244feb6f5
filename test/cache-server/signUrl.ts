import { createHmac } from 'node:crypto'

/**
 * A path with the query string that url_sig.so asks for: good until `expires` (seconds since 1970), signed over host
 * and whole path with HMAC-SHA1. `host` is the one the plugin sees: it runs after the request was mapped to the
 * origin, so that is the origin's, unless the plugin has the parameter `pristineurl`.
 */
export function signedPath(
  host: string,
  path: string,
  { keyIndex, key, expires }: { keyIndex: number; key: string; expires: number },
): string {
  const toSign = `${path}?E=${expires}&A=1&K=${keyIndex}&P=1&S=`
  return `${toSign}${createHmac('sha1', key).update(`${host}${toSign}`).digest('hex')}`
}

/** A path with a token as uri_signing.so asks for it, good for the URLs that `pattern` matches, as clients ask for them. */
export function pathWithToken(path: string, { issuer, kid, key, pattern, expires }: Token): string {
  const text = [
    { alg: 'HS256', kid },
    { iss: issuer, exp: expires, cdniuc: `regex:${pattern}` },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${path}?URISigningPackage=${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

export interface Token {
  readonly issuer: string
  readonly kid: string
  readonly key: string
  readonly pattern: string
  /** Seconds since 1970. */
  readonly expires: number
}
