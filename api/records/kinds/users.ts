import { type Fault, invalid } from '../../config/errors.js'
import { passwordFaults } from '../../config/passwordRules.js'
import { hashPassword } from '../../config/passwords.js'
import { zonedTime } from '../../config/times.js'
import type { Plan } from '../../journal/plan.js'
import type { Asked, WriteEndpoint } from '../../operations/endpoint.js'
import { legacy } from '../../routes/crud/present.js'
import { create, list, read, update } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import { flag, integer, moment, optional, type RecordOf, ref, text } from '../../schema/fields.js'
import { agentRole, isAdmin } from '../../schema/privileges.js'
import { defineResource, type Presenting, type Resource, type Row } from '../defineKind.js'
import type { Values } from '../recordBody.js'
import { needed } from '../rules.js'

export const fields = {
  username: text({ unique: true, pattern: '^\\S+$' }),
  fullName: text(),
  email: text({ unique: true, max: 254, format: 'email' }),
  role: ref('roles', { as: ['roleName', 'rolename'] }),
  /** The caller's own tenant when the body names none. */
  tenantId: ref('tenants', { as: ['tenant'], fallback: null }),
  company: optional(text()),
  addressLine1: optional(text()),
  addressLine2: optional(text()),
  city: optional(text()),
  stateOrProvince: optional(text()),
  postalCode: optional(text()),
  country: optional(text()),
  phoneNumber: optional(text()),
  publicSshKey: optional(text({ max: 8192, lines: true })),
  gid: optional(integer()),
  uid: optional(integer()),
  /** Has not chosen a password and profile of their own yet. */
  newUser: flag({ fallback: false }),
  /** When the registration mail was sent. */
  registrationSent: optional(moment({ managed: true })),
  passwordHash: optional(text({ managed: true, hidden: true, max: 512 })),
  /** Hash of the one-time token of a registration or reset, and when it was made. */
  tokenHash: optional(text({ managed: true, hidden: true, unique: true })),
  tokenMade: optional(moment({ managed: true, hidden: true })),
}

type User = RecordOf<typeof fields>

const lists = { numbers: ['tenantId'] }

export default defineResource({
  kind: 'users',
  label: 'user',
  key: 'username',
  fields,
  rules,
  tenant: (user) => user.tenantId,
  effects: endOneTimeToken,
  legacy: lists,
  present: {
    '1.1': (row) => ({
      ...legacy({ legacy: lists }, row, true),
      rolename: row.roleName,
      registrationSent: row.registrationSent !== null,
    }),
    '1.3': (row) => ({ ...row, registrationSent: row.registrationSent && zonedTime(row.registrationSent) }),
  },
  written: (row) => ({ ...row, registrationSent: row.registrationSent !== null }),
  routes: [
    list('/users', { role: 'any', filters: { tenant: 'tenantId', role: 'role', email: 'email' } }),
    read('/users/:id', { role: 'any' }),
    withPassword(
      create('/users', {
        role: 'oper',
        prepare: (values, asked, plan) => placed(withHash(values, asked), plan),
        allow: mustHavePassword,
        text: () => 'User creation was successful.',
      }),
    ),
    withPassword(
      update('/users/:id', {
        role: 'oper',
        prepare: withHash,
        text: () => 'User update was successful.',
      }),
    ),
  ],
})

function* rules({
  before,
  after,
  data,
  user,
}: {
  before: User | null
  after: User
  data: Data
  user: Presenting['user']
}) {
  yield* needed(after, 'tenantId')
  const levelOf = (role: number | undefined) => data.get('roles', role ?? null)?.privLevel ?? 0
  if (before?.role !== after.role && levelOf(after.role) > user.privLevel) {
    yield { path: 'role', text: `role cannot exceed current user's privilege level (${user.privLevel})` }
  }
  // Whoever could change a user of a higher privilege could take over the account.
  if (levelOf(before?.role) > user.privLevel) {
    yield { path: '', text: 'Forbidden. The user has a higher privilege level.', status: 403 as const }
  }
  const readsKeys = (one: User | null) =>
    data.get('roles', one?.role ?? null)?.name === agentRole &&
    data.get('tenants', one?.tenantId ?? null)?.parentId === null
  // Agents of the root tenant read the private keys of whole CDNs, which their level does not show.
  if (!isAdmin(user) && before?.id !== user.id && (readsKeys(before) || readsKeys(after))) {
    const text = `Forbidden. Only administrators make or change users of the root tenant with the role '${agentRole}'.`
    yield { path: '', text, status: 403 as const }
  }
  if (before && before.id === user.id && user.tokenId !== null) {
    yield { path: '', text: 'Forbidden. An API token cannot change its user.', status: 403 as const }
  }
  if (before && before.id === user.id && before.role !== after.role) {
    yield { path: 'role', text: 'role: nobody changes their own role', status: 403 as const }
  }
}

/** Whoever was sent a one-time token by an address or for a password that is no more the user's does not get in by it. */
function endOneTimeToken(plan: Plan, { before, after }: { before: User | null; after: User | null }): void {
  if (!before || !after || after.tokenHash === null || after.tokenHash !== before.tokenHash) return
  if (after.email === before.email && after.passwordHash === before.passwordHash) return
  plan.update('users', after.id, { tokenHash: null, tokenMade: null })
}

/**
 * A password in the body becomes its hash before anything is decided: hashing takes time and chance. Both the
 * interface's spelling and the one on the field's wire are taken. The clear text goes no further.
 */
export function withPassword(route: (resource: Resource) => WriteEndpoint): (resource: Resource) => WriteEndpoint {
  return (resource) => ({ ...route(resource), early: async (asked) => ({ ...asked, body: await hashed(asked.body) }) })
}

async function hashed(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const {
    localPassword,
    localPasswd,
    confirmLocalPassword,
    confirmLocalPasswd,
    passwordHash: _,
    ...rest
  } = body as Values
  const password = localPassword ?? localPasswd
  if (password === undefined || password === null || password === '') return rest
  const faults: Fault[] = passwordFaults(password, confirmLocalPassword ?? confirmLocalPasswd, rest.username)
  if (faults.length > 0) throw invalid(faults)
  return { ...rest, passwordHash: await hashPassword(password as string) }
}

/** The hash that `withPassword` put in the password's place. */
function withHash(values: Values, { body }: Asked): Values {
  const hash = (body as Values).passwordHash
  return hash === undefined ? values : { ...values, passwordHash: hash }
}

const placed = (values: Values, { user }: Plan): Values => ({ ...values, tenantId: values.tenantId ?? user.tenantId })

function mustHavePassword(_asked: Asked, _plan: Plan, _before: Row | null, values: Values): void {
  if (values.passwordHash === undefined) throw invalid([{ path: 'localPassword', text: 'localPassword is required' }])
}
