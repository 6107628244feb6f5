import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { invalid, quoted } from '../../config/errors.js'
import { checker } from '../../records/check.js'
import type { Body } from '../endpoint.js'

const webKey = Type.Object({
  alg: Type.String({ minLength: 1 }),
  kid: Type.String({ minLength: 1 }),
  kty: Type.String({ minLength: 1 }),
  k: Type.Optional(Type.Unknown({ description: 'The key in base64url, where `kty` is `oct`.' })),
})

/** `{ "<issuer>": { … } }` */
export const uriSigningDocument = Type.Record(
  Type.String(),
  Type.Object({
    renewal_kid: Type.Optional(Type.String({ description: 'The `kid` of the key that renews; one issuer has it.' })),
    keys: Type.Array(webKey, { minItems: 1 }),
  }),
)

/** Its text, as it came: what is stored, and what caches get. */
export const uriSigningBody: Body<string> = {
  schema: uriSigningDocument,
  read: (given) => {
    const text = typeof given === 'string' ? given : ''
    const faults = uriSigningFaults(text)
    if (faults.length > 0) throw invalid(faults)
    return text
  },
}

/**
 * What is wrong with a document of URI signing keys; empty when nothing is. The text itself is what is stored and
 * what caches get, byte for byte. It is `{ "<issuer>": { "renewal_kid": "<kid>", "keys": [<JSON Web Key>, …] } }`;
 * of all issuers exactly one names the key that renews, which must be one of its own.
 */
export function uriSigningFaults(text: string): Fault[] {
  if (text.length > longest) return [whole(`The document is larger than ${longest} characters.`)]
  const issuers = members(parsed(text))
  if (issuers === null) return [whole('The document must be a JSON object of issuers.')]
  if (issuers.length === 0) return [whole('The document names no issuer.')]

  const faults = issuers.flatMap(([issuer, set]) => setFaults(issuer, set))
  const renewing = issuers.filter(([, set]) => member(set, 'renewal_kid') !== undefined)
  if (renewing.length !== 1)
    faults.push(whole(`Exactly one issuer must have a renewal_kid; there are ${renewing.length}.`))
  return faults
}

const longest = 256 * 1024
const whole = (text: string): Fault => ({ path: '', text })

function setFaults(issuer: string, set: unknown): Fault[] {
  const at = `Issuer ${quoted(issuer)}`
  const fault = (text: string): Fault => ({ path: issuer, text: `${at}: ${text}` })
  const keys = member(set, 'keys')
  if (issuer === '') return [fault('an issuer must have a name.')]
  if (!Array.isArray(keys) || keys.length === 0) return [fault('keys must be an array with at least one key.')]

  const faults = keys.flatMap((key, number) => keyFaults(key).map((text) => fault(`key ${number + 1}: ${text}`)))
  const kids = keys.map((key) => member(key, 'kid'))
  if (new Set(kids).size < kids.length) faults.push(fault('two keys have the same kid.'))
  const renewal = member(set, 'renewal_kid')
  if (renewal !== undefined && (typeof renewal !== 'string' || !kids.includes(renewal)))
    faults.push(fault(`renewal_kid ${quoted(renewal)} is not the kid of one of its keys.`))
  return faults
}

const checkKey = checker(webKey)

function keyFaults(key: unknown): string[] {
  if (members(key) === null) return ['must be a JSON Web Key.']
  const faults = checkKey(key).map(({ text }) => `${text}.`)
  const secret = member(key, 'k')
  if (member(key, 'kty') === 'oct' && !(isText(secret) && /^[A-Za-z0-9_-]+={0,2}$/.test(secret)))
    faults.push('k must be the key in base64url.')
  return faults
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object, its own only; null when the value is none. */
const members = (value: unknown): [string, unknown][] | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null

const member = (value: unknown, name: string): unknown => members(value)?.find(([own]) => own === name)?.[1]

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
