/** Headers of every answer: nothing is sniffed, framed, run or kept by proxies. */
export const standingHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding, Cookie, Authorization',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})
