import { createRequire } from 'node:module'
import type { Fault } from './errors.js'

/** The rules a new password must keep (beyond.md §1.2), with the field's texts. */
export function passwordFaults(password: unknown, confirmation: unknown, username: unknown): Fault[] {
  const path = 'localPassword'
  if (typeof password !== 'string') return [{ path, text: 'localPassword must be a string' }]
  const texts = [
    ...formFaults(password, username),
    password !== confirmation && "Your 'New Password' must match the 'Confirm New Password'.",
    isCommon(password.toLowerCase()) && 'Password is too common.',
  ]
  return texts.flatMap((text) => (text ? [{ path, text }] : []))
}

/** Those of them that a look at the password shows. */
export const formFaults = (password: string, username: unknown): string[] =>
  [
    password.length < 8 && 'Password must be greater than 7 chars.',
    password.length > 1024 && 'Password must be at most 1024 chars.',
    password === username && 'Your password cannot be the same as your username.',
  ].filter((text) => text !== false)

/** @param password in lower case */
function isCommon(password: string): boolean {
  if (commonHere.has(password)) return true
  // What is listed is short and has a sign at most: for what cannot be, the list is not read, which takes some 50 ms.
  const signs = password.match(/[^a-z0-9]/g) ?? []
  if (password.length < 8 || password.length > 20 || signs.length > 1) return false
  listed ??= readList()
  return listed.has(password)
}

/** The likely ones of this field, and those of the list that have more signs. */
const commonHere = new Set(
  `trafficops trafficcontrol edgewright operations adminadmin root1234 admin1234 p@ssword
  pa$$w0rd %%passwo %e2%82%ac 0.0.0.000 2004-10- 2004-11- is_a_bot ne_e_pod_chehyl`
    .split(/\s+/)
    .filter(Boolean),
)

let listed: ReadonlySet<string> | null = null

/** The 49,000 that people choose most, of which those of eight characters and more are kept. */
function readList(): ReadonlySet<string> {
  // Its own declaration says what it is; a dynamic import could not be waited for here.
  const { dictionary } = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  ) as typeof import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8))
}
