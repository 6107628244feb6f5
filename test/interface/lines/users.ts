import type { Line } from '../line.js'
import { notFlag, notId, notName, notOptional } from '../line.js'
import { maybe } from '../shape.js'
import { service12, services } from './deliveryServices.js'

const profile = {
  addressLine1: 'text?',
  addressLine2: 'text?',
  city: 'text?',
  company: 'text?',
  country: 'text?',
  email: 'text',
  fullName: 'text',
  newUser: 'bool',
  phoneNumber: 'text?',
  postalCode: 'text?',
  stateOrProvince: 'text?',
  tenantId: 'int',
  username: 'text',
} as const

const user = {
  ...profile,
  gid: 'id?',
  id: 'id',
  lastUpdated: 'time',
  publicSshKey: 'text?',
  role: 'id',
  tenant: 'text',
  uid: 'id?',
  passwordHash: 'absent',
  tokenHash: 'absent',
} as const

const job = {
  id: 'id',
  keyword: 'text',
  objectName: 'text?',
  assetUrl: 'text',
  assetType: 'text',
  status: 'text',
  dsId: 'id',
  dsXmlId: 'text',
  username: 'text',
  parameters: 'text',
  enteredTime: 'time',
  objectType: 'text?',
  agent: 'text',
  startTime: 'time',
} as const

const listed = {
  'v1.1': [{ ...user, rolename: 'text', registrationSent: 'bool' }],
  'v1.3': [{ ...user, roleName: 'text', registrationSent: 'zoned?' }],
} as const

const password = { localPassword: 'a-Password-of-tests', confirmLocalPassword: 'a-Password-of-tests' }

export const users: readonly Line[] = [
  { row: 'GET /users', role: 'any', shape: listed },
  {
    row: 'GET /users/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('users', 'username=alex')] }),
    shape: listed,
  },
  {
    row: 'POST /users',
    role: 'oper',
    fill: async ({ id, next }) => {
      const username = `user-${next()}`
      const role = await id('roles', 'name=read-only')
      return { body: { username, email: `${username}@example.net`, fullName: 'Somebody', role, ...password } }
    },
    shape: {
      ...profile,
      id: 'int',
      gid: 'int?',
      role: 'int',
      uid: 'int?',
      roleName: 'text',
      lastUpdated: 'any',
      passwordHash: 'absent',
    },
    invalid: {
      username: [...notName, 'with space'],
      email: [...notName, 'nobody', 'a@b@c.example', 'a b@example.net'],
      fullName: notName,
      role: notId,
      tenantId: [9_999_999, -5, 'no-such-tenant', true],
      newUser: notFlag,
      addressLine1: notOptional,
      addressLine2: notOptional,
      city: notOptional,
      company: notOptional,
      country: notOptional,
      phoneNumber: notOptional,
      postalCode: notOptional,
      publicSshKey: ['nul\u0000', 'x'.repeat(9000), true, {}],
      stateOrProvince: notOptional,
    },
  },
  {
    row: 'POST /users/register',
    role: 'oper',
    fill: async ({ id, next }) => ({
      body: {
        email: `invited-${next()}@example.net`,
        role: await id('roles', 'name=read-only'),
        tenantId: await id('tenants', 'name=root'),
      },
    }),
    shape: 'any',
    invalid: {
      email: [...notName, 'nobody', 'a b@example.net'],
      role: [null, 0, -1, 9_999_999, 'x', 1.5, {}],
      tenantId: [null, 0, -1, 9_999_999, 'x', 1.5, {}],
    },
  },
  {
    row: 'GET /users/:id/deliveryservices',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('users', 'username=toni')] }),
    shape: { 'v1.1': [service12], 'v1.2': services['v1.2'], 'v1.3': services['v1.3'] },
  },
  {
    row: 'GET /user/current',
    role: 'any',
    shape: { ...profile, localUser: 'bool', id: 'id', role: 'id', gid: 'id?', uid: 'id?', tenant: 'text' },
  },
  {
    row: 'PUT /user/current',
    role: 'any',
    fill: ({ next }) => ({ body: { user: { company: `Company ${next()}` } } }),
    wrap: (user) => ({ user: { ...(user as { user: object }).user, ...user, user: undefined } }),
    invalid: {
      email: [...notName, 'nobody'],
      fullName: notName,
      username: [...notName, 'with space'],
      company: notOptional,
      city: notOptional,
      phoneNumber: notOptional,
    },
  },
  { row: 'GET /user/current/jobs', role: 'any', shape: maybe(job) },
  {
    row: 'POST /user/current/jobs',
    role: 'any',
    fill: async ({ id }) => ({
      body: {
        dsId: String(await id('deliveryservices', 'xmlId=vod')),
        regex: '/films/.*',
        startTime: '2035-01-01 00:00:00',
        ttl: 24,
      },
    }),
    shape: job,
    invalid: {
      dsId: [null, '', 'x', -1, {}],
      regex: ['', null, 'two\nlines', '/(', 'with space', 1, {}],
      startTime: ['', null, 'soon', '2001-01-01 00:00:00', 5, {}],
      ttl: ['', null, 0, -1, 1.5, 'x', 1_000_000, {}],
    },
  },
]
