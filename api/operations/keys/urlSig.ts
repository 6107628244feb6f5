import { randomInt } from 'node:crypto'

/** The keys by which a delivery service's URLs are signed: `key0` to `key15`, 32 characters of [A-Za-z0-9_] each. */
export type UrlSigKeys = Readonly<Record<`key${number}`, string>>

export function makeUrlSigKeys(): UrlSigKeys {
  const names = Array.from({ length: 16 }, (_, number) => `key${number}` as const)
  return Object.fromEntries(names.map((name) => [name, makeKey()]))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'

const makeKey = () => Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
