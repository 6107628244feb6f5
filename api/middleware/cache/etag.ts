import type { Encoding } from './acceptEncoding.js'

/** Whether `If-None-Match` names this entity, in whatever form the client holds it. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const at = ifNoneMatch.indexOf(etag)
  if (at < 0) return ifNoneMatch.trim() === '*'
  const before = ifNoneMatch[at - 1]
  const rest = ifNoneMatch.slice(at + etag.length, at + etag.length + 6)
  return before === '"' && /^(-gzip|-br)?"/.test(rest)
}

/** A strong ETag names the bytes on the wire, so each form has its own. */
export const tagOf = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`
