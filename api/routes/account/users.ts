import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { invalid } from '../../config/errors.js'
import { passwordFaults } from '../../config/passwordRules.js'
import { hashPassword } from '../../config/passwords.js'
import { zonedTime } from '../../config/times.js'
import type { Transaction } from '../../journal/transaction.js'
import type { RequestInput, WriteEndpoint } from '../../operations/endpoint.js'
import { saysNothing } from '../../records/nothing.js'
import type { Values } from '../../records/recordBody.js'
import type { Asked, ValuesOf } from '../crud/accepting.js'
import { legacy } from '../crud/present.js'
import { list, read } from '../crud/readRoutes.js'
import type { Of } from '../crud/resource.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

type Stated = ValuesOf<'users'>

const lists = { numbers: ['tenantId'] }

const placed = (values: Stated, { transaction: { user } }: Asked<'users'>): Stated => ({
  ...values,
  tenantId: values.tenantId ?? user.tenantId,
})

const passwordNote = { minLength: 8, maxLength: 1024, description: 'Kept as a hash only.' }

/** What a body may say of a password; both the interface's spelling and the one on the field's wire are taken. */
export const passwordFields = {
  localPassword: Type.Unsafe({ type: ['string', 'null'], ...passwordNote }),
  confirmLocalPassword: Type.Unsafe({ type: ['string', 'null'], description: 'The same once more.' }),
  localPasswd: Type.Unsafe({ type: ['string', 'null'], description: 'Instead of localPassword.' }),
  confirmLocalPasswd: Type.Unsafe({ type: ['string', 'null'], description: 'Instead of confirmLocalPassword.' }),
}

export default defineResource('users', {
  legacy: lists,
  shown: { rolename: Type.String() },
  present: {
    '1.1': (row) => ({
      ...legacy({ legacy: lists }, row, true),
      rolename: row.roleName,
      registrationSent: row.registrationSent !== null,
    }),
    '1.3': (row) => ({
      ...row,
      rolename: row.roleName,
      registrationSent: row.registrationSent && zonedTime(row.registrationSent),
    }),
  },
  writeResponse: (row) => ({ ...row, registrationSent: row.registrationSent !== null }),
  routes: [
    list('/users', { role: 'any', filters: { tenant: 'tenantId', role: 'role', email: 'email' } }),
    read('/users/:id', { role: 'any' }),
    withPassword(
      create<'users'>('/users', {
        role: 'oper',
        more: passwordFields,
        prepare: (values, asked) => placed(withHash(values, asked), asked),
        allow: mustHavePassword,
        text: () => 'User creation was successful.',
      }),
    ),
    withPassword(
      update<'users'>('/users/:id', {
        role: 'oper',
        more: passwordFields,
        prepare: withHash,
        text: () => 'User update was successful.',
      }),
    ),
    remove<'users'>('/users/:id', { role: 'oper', summary: 'Remove a user, with their API tokens' }),
  ],
})

/** Where the hash is in a body: under no name that a client could give it. */
const madeHash = Symbol('the hash of the new password')

/**
 * A password in the body becomes its hash before anything is decided: hashing takes time and chance. Both the
 * interface's spelling and the one on the field's wire are taken. The clear text goes no further.
 */
export function withPassword<K extends string>(
  route: (resource: Of<K>) => WriteEndpoint,
): (resource: Of<K>) => WriteEndpoint {
  return (resource) => ({
    ...route(resource),
    prepare: async (input) => ({ ...input, body: await hashed(input.body) }),
  })
}

async function hashed(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const rest = { ...(body as Values) }
  const password = newPassword(rest, rest.username)
  for (const name of Object.keys(passwordFields)) delete rest[name]
  return password === null ? rest : { ...rest, [madeHash]: await hashPassword(password) }
}

/** The new password that a body says, under either name; `null` when it says none. */
export function newPassword(body: Values, username: unknown): string | null {
  const said = Object.keys(passwordFields).filter((name) => !saysNothing(body[name]))
  const faults: Fault[] = said.flatMap((name) =>
    typeof body[name] === 'string' ? [] : [{ path: name, text: `${name} must be a string` }],
  )
  if (faults.length > 0) throw invalid(faults)
  const [password, confirmation] = [/^local/, /^confirm/].map(
    (form) => body[said.find((name) => form.test(name)) ?? ''],
  )
  if (password === undefined) return null
  const broken = passwordFaults(password, confirmation, username)
  if (broken.length > 0) throw invalid(broken)
  return password as string
}

/** The hash that `withPassword` put in the password's place. */
function withHash(values: Stated, { stated }: Asked<'users'>): Stated {
  const { [madeHash]: hash } = stated as { readonly [madeHash]?: string }
  return hash === undefined ? values : { ...values, passwordHash: hash }
}

function mustHavePassword(_asked: RequestInput, _plan: Transaction, _before: unknown, values: Stated): void {
  if (values.passwordHash === undefined) throw invalid([{ path: 'localPassword', text: 'localPassword is required' }])
}
