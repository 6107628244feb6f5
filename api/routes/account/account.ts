import { randomBytes, randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { badRequest, conflict, forbidden, invalid, notFound, quoted, unauthorized } from '../../config/errors.js'
import { hashPassword } from '../../config/passwords.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import { tokenHash } from '../../middleware/access/credentials.js'
import { mustMatch, tagOf } from '../../middleware/entityTag.js'
import { exactBody, objectOf, refused } from '../../operations/bodies.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Body, Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import { changedFields } from '../../records/changedFields.js'
import { removeApiTokens } from '../../records/kinds/users.js'
import { saysNothing } from '../../records/nothing.js'
import type { Values } from '../../records/recordBody.js'
import { readBody } from '../../records/recordBody.js'
import { recordSchema } from '../../records/recordSchema.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { mustReachTenant, reachesTenant, system } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { join } from '../crud/present.js'
import type { Presenting } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { loggedIn } from './session.js'
import users, { newPassword, passwordFields } from './users.js'

type Uses = Pick<Parts, 'data' | 'log' | 'logins' | 'mail' | 'now' | 'sessions' | 'settings' | 'workingSet'>

type Writing = Uses & Pick<Calling, 'committer'>

/** One-time tokens of registrations and password resets are good for a day. */
const tokenMilliseconds = 24 * 3600 * 1000

/** What a user may say about themselves. */
const own = [
  'username',
  'fullName',
  'email',
  'company',
  'addressLine1',
  'addressLine2',
  'city',
  'stateOrProvince',
  'postalCode',
  'country',
  'phoneNumber',
  'publicSshKey',
  'gid',
  'uid',
] as const

const caller = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  fullName: Type.String(),
  email: Type.String(),
  role: Type.Integer(),
  roleName: Type.Union([Type.String(), Type.Null()]),
  tenantId: Type.Integer(),
  tenant: Type.Union([Type.String(), Type.Null()]),
  localUser: Type.Boolean(),
  newUser: Type.Boolean(),
})
const ownProfile: Body<Values> = {
  schema: Type.Object({ user: recordSchema(users, 'patch', { only: own, more: passwordFields }) }),
  read: (body) => {
    const { user } = objectOf(body ?? {})
    if (typeof user === 'object' && user !== null && !Array.isArray(user)) return user as Values
    throw invalid([{ path: 'user', text: 'user is required: an object of what is to be changed' }])
  },
}

const idOrDigits = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[0-9]{1,9}$', form: 'an id' })])

const invitation = exactBody(
  Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254, format: 'email' }),
    role: idOrDigits,
    tenantId: idOrDigits,
  }),
)

/** Whatever is no token is one that nobody has. */
const oneTime: Body<unknown> = {
  schema: Type.Object({ t: Type.String({ maxLength: 200 }) }),
  read: (given) => ((given ?? {}) as { t?: unknown }).t,
}

const forgotten = exactBody(Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }))

export const accountEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/user/current',
    role: 'any',
    reach: 'own',
    summary: 'The caller',
    response: caller,
    varies: 'caller',
    read: currentAnswer,
  },
  change(uses, 'PUT', '/user/current', 'UserProfile was successfully updated.'),
  change(uses, 'POST', '/user/current/update', 'User profile was successfully updated'),
  {
    method: 'POST',
    path: '/users/register',
    role: 'oper',
    reach: 'tenants',
    summary: 'Invite somebody by mail; the link logs in once to complete the profile',
    document: Type.Object({ response: Type.Optional(Type.Object({ token: Type.String() })) }),
    body: invitation,
    live: (input, { committer }) => register(input, { ...uses, committer }),
  },
  {
    method: 'POST',
    path: '/user/reset_password',
    role: 'none',
    reach: 'own',
    summary: 'Mail a link that logs in once, to choose a new password',
    body: forgotten,
    live: (input, { committer }) => resetPassword(input, { ...uses, committer }),
  },
  {
    method: 'POST',
    path: '/user/login/token',
    role: 'none',
    reach: 'own',
    summary: 'Log in with the one-time token of a registration or reset',
    body: oneTime,
    live: (input, { committer }) => tokenLogin(input, { ...uses, committer }),
  },
]

function currentAnswer({ user, version }: RequestInput, data: Data): Result {
  const self = data.get('users', user.id)
  if (!self) throw notFound()
  return { response: currentUser(self, { data, version, user }) }
}

function currentUser(user: Records['users'], context: Presenting): object {
  const { registrationSent: _sent, lastUpdated: _time, ...shown } = join(users, user as Row, context)
  const joined = { ...shown, localUser: true }
  if (context.version === '1.3') return joined
  const text = (value: number | null) => (value === null ? null : String(value))
  return { ...joined, id: text(user.id), role: text(user.role), gid: text(user.gid), uid: text(user.uid) }
}

/** Both routes take only what is there; a new password ends every session but this one, which gets a new cookie. */
function change(uses: Uses, method: 'PUT' | 'POST', path: string, text: string): Endpoint {
  return {
    method,
    path,
    role: 'any',
    reach: 'own',
    summary: "Change the caller's own profile or password",
    query: dryRunQuery,
    body: ownProfile,
    live: async (input, { committer }) => {
      const given = ownProfile.read(input.body)
      if (input.user.tokenId !== null) throw forbidden('An API token cannot change its user.')
      const passwordHash = await newHash(given, input.user.username)
      if (isDryRun(input)) {
        return rehearsed(
          committer,
          input,
          atOnce((transaction) => {
            saveProfile(given, passwordHash, input, transaction)
            return { alerts: [success(text)] }
          }),
        )
      }
      const { value } = await committer.write(input, (transaction) => {
        const self = { kind: 'users', id: input.user.id } as const
        if (method === 'PUT')
          mustMatch(input, transaction.data, { self, tags: (data) => [tagOf(currentAnswer(input, data))] })
        return saveProfile(given, passwordHash, input, transaction)
      })
      const answer: Result = { alerts: [success(text)] }
      return passwordHash === null ? answer : { ...loggedIn(uses, value.id, passwordHash), ...answer }
    },
  }
}

async function newHash(given: Values, username: string): Promise<string | null> {
  const password = newPassword(given, saysNothing(given.username) ? username : given.username)
  return password === null ? null : hashPassword(password)
}

function saveProfile(
  given: Values,
  passwordHash: string | null,
  { user }: RequestInput,
  transaction: Transaction,
): { id: number } {
  const { values, faults } = readBody(users, given, { mode: 'patch', data: transaction.data })
  if (faults.length > 0) throw invalid(faults)
  // Forms send the whole record back. Who may say what in these two is the users' own rule, whatever the route.
  const placing = Object.entries(values).filter(([name, id]) => (name === 'role' || name === 'tenantId') && id !== null)
  const said = Object.entries(values).filter(([name]) => (own as readonly string[]).includes(name))
  const kept = Object.fromEntries([...said, ...placing])
  const changed = { ...kept, ...(passwordHash === null ? {} : { passwordHash }) }
  const before = transaction.data.get('users', user.id) as Row
  const made = transaction.tryUpdate('users', user.id, {
    ...changed,
    newUser: false,
    tokenHash: null,
    tokenMade: null,
  })
  if (!made.row) throw refused(users, given, made.faults)
  const fields = changedFields(users, { before, after: made.row }, changed)
  transaction.log(`User ${made.row.username} updated their own profile${fields}`)
  return { id: user.id }
}

async function register(input: RequestInput, services: Writing): Promise<Result> {
  if (isDryRun(input)) throw badRequest('There is no dry run of an invitation.')
  const { email, role, tenantId } = invitation.read(input.body)
  const token = randomBytes(24).toString('base64url')
  const { value: invited } = await services.committer.write(input, (transaction) => {
    if (!transaction.data.get('tenants', Number(tenantId))) {
      throw invalid([dangling('tenantId', 'tenants', Number(tenantId))])
    }
    mustReachTenant(transaction.data, input.user, Number(tenantId))
    const values: Values = {
      email,
      role: Number(role),
      tenantId: Number(tenantId),
      newUser: true,
      tokenHash: tokenHash(token),
      tokenMade: transaction.time,
      registrationSent: services.mail.enabled ? transaction.time : null,
    }
    const known = findOne(transaction.data, 'users', 'email', email)
    // Of others' users it is not even told whether they have been invited or have come.
    if (known && !reachesTenant(transaction.data, input.user, known.tenantId)) {
      throw conflict(`a user with email ${quoted(email)} already exists.`)
    }
    if (known && !known.newUser) throw badRequest('User already exists and has completed registration.')
    const username = known?.username ?? `new-${randomUUID()}`
    const made = known
      ? transaction.tryUpdate('users', known.id, values)
      : transaction.tryCreate('users', { ...values, username, fullName: email })
    if (!made.row) throw invalid(made.faults as Fault[])
    const roleName = transaction.data.get('roles', Number(role))?.name
    const tenant = transaction.data.get('tenants', Number(tenantId))?.name
    const permissions = `with the following permissions [ role: ${roleName} | tenant: ${tenant} ]`
    transaction.log(`Invited ${email} ${permissions}`)
    return { id: made.row.id, permissions }
  })
  const isSent = await services.mail.send({
    to: email,
    subject: 'Your registration',
    text: `Log in once with this token to complete your registration: ${token}`,
  })
  if (isSent) return { alerts: [success(`Sent user registration to ${email} ${invited.permissions}`)] }
  // Without mail whoever asked passes the token on; it is in no log.
  const registered = `${email} is registered ${invited.permissions}`
  if (!services.mail.enabled)
    return { alerts: [success(`${registered}: no mails are sent, pass the token on yourself.`)], response: { token } }
  await notSent(invited.id, token, input, services)
  const text = `${registered}, but the mail could not be sent: pass the token on yourself.`
  return { alerts: [{ level: 'warning', text }], response: { token } }
}

/** Notes that nothing was sent, unless there was another invitation meanwhile. */
const notSent = (id: number, token: string, input: RequestInput, { committer }: Writing) =>
  committer.write(input, (transaction) => {
    if (transaction.data.get('users', id)?.tokenHash !== tokenHash(token)) return
    transaction.tryUpdate('users', id, { registrationSent: null })
  })

/** The answer is the same whether the address is known or not. */
async function resetPassword(input: RequestInput, services: Writing): Promise<Result> {
  if (isDryRun(input)) throw badRequest('There is no dry run of a password reset.')
  const { body, address, requestId } = input
  const { email } = forgotten.read(body)
  // Each counts: whoever asks is told nothing that would show a right guess.
  services.logins.attempt({ kind: 'reset', name: email, address, requestId }, () => null)
  const user = findOne(services.data, 'users', 'email', email)
  if (user && services.mail.enabled) {
    // Once the answer is on its way: how long it took must not tell either.
    setImmediate(() => {
      sendReset(user, input, services).catch((error: unknown) => {
        services.log.error({ err: error, requestId }, 'a password reset could not be sent')
      })
    })
  }
  return { alerts: [success(`Successfully sent password reset to email '${email.replace(/[\p{Cc}'<>]/gu, ' ')}'`)] }
}

async function sendReset(user: Records['users'], { requestId }: RequestInput, services: Writing): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  await services.committer.write({ user: system, requestId }, (transaction) => {
    transaction.tryUpdate('users', user.id, { tokenHash: tokenHash(token), tokenMade: transaction.time })
    transaction.log(`Sent a password reset to user ${user.username}`, 'OPER')
  })
  await services.mail.send({
    to: user.email,
    subject: 'Your password',
    text: `Log in once with this token to choose a new password: ${token}`,
  })
}

/** The login and the end of its token are one entry: of two that come at once, one is let in. */
async function tokenLogin({ body, address, requestId }: RequestInput, services: Writing): Promise<Result> {
  const t = oneTime.read(body)
  const refused = () => unauthorized('Invalid token. Please contact your administrator.')
  const { data, now, committer, logins } = services
  const known = logins.attempt({ kind: 'login token', name: '', address, requestId }, () => ownerOf(t, data, now()))
  if (!known) throw refused()
  const { value: user } = await committer.write({ user: system, requestId }, (transaction) => {
    const owner = ownerOf(t, transaction.data, new Date(transaction.time))
    if (!owner) throw refused()
    transaction.log(`User ${owner.username} logged in with a one-time token`, 'OPER')
    // Whoever forgot a password, or lost it to others; an invitation has no tokens yet.
    removeApiTokens(transaction, owner.id)
    return transaction.update('users', owner.id, { tokenHash: null, tokenMade: null })
  })
  return loggedIn(services, user.id, user.passwordHash)
}

/** Whom a one-time token lets in, while it is good. */
function ownerOf(token: unknown, data: Data, time: Date): Records['users'] | null {
  if (typeof token !== 'string' || token === '' || token.length > 200) return null
  const user = findOne(data, 'users', 'tokenHash', tokenHash(token))
  const made = user?.tokenMade ? Date.parse(user.tokenMade) : 0
  if (!user || time.getTime() - made > tokenMilliseconds) return null
  return (data.get('roles', user.role)?.privLevel ?? 0) > 0 ? user : null
}
