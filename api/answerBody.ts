import type { Answer } from './endpoint.js'

export const jsonType = 'application/json; charset=utf-8'

/** An answer's body, as text or as the bytes it is. */
export function bodyOf({ response, alerts, extra, bare, raw }: Answer): {
  body: string | Uint8Array
  contentType: string
} {
  if (raw) return raw
  const envelope = bare ?? {
    ...(alerts ? { alerts } : {}),
    ...(response === undefined ? {} : { response }),
    ...extra,
  }
  return { body: JSON.stringify(envelope), contentType: jsonType }
}
