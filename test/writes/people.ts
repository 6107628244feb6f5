import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Reference rows, roles, users and what they have. */
export function people(finder: Finder): readonly Line[] {
  const { find, id, typeOf } = finder
  const { vod } = known(finder)
  const user = () => id('/users', 'username=written')
  const password = { localPassword: 'a-Password-of-tests', confirmLocalPassword: 'a-Password-of-tests' }
  return [
    ['POST /statuses', async () => ['/statuses', { name: 'WRITTEN', description: 'd' }]],
    ['PUT /statuses/:id', async () => [`/statuses/${await id('/statuses', 'name=WRITTEN')}`, { name: 'WRITTEN2' }]],
    ['DELETE /statuses/:id', async () => [`/statuses/${await id('/statuses', 'name=WRITTEN2')}`]],
    ['POST /types', async () => ['/types', { name: 'EDGE_W', description: 'd', useInTable: 'server' }]],
    [
      'PUT /types/:id',
      async () => [`/types/${await typeOf('EDGE_W')}`, { name: 'EDGE_W', description: 'e', useInTable: 'server' }],
    ],
    ['DELETE /types/:id', async () => [`/types/${await typeOf('EDGE_W')}`]],
    [
      'POST /tenants',
      async () => ['/tenants', { name: 'w', active: true, parentId: await id('/tenants', 'name=root') }],
    ],
    [
      'PUT /tenants/:id',
      async () => [
        `/tenants/${await id('/tenants', 'name=w')}`,
        { name: 'w2', active: false, parentId: await id('/tenants', 'name=root') },
      ],
    ],
    ['DELETE /tenants/:id', async () => [`/tenants/${await id('/tenants', 'name=w2')}`]],
    ['POST /roles', async () => ['/roles', { name: 'w', description: 'd', privLevel: 10, capabilities: [] }]],
    [
      'PUT /roles',
      async () => [
        `/roles?id=${await id('/roles', 'name=w')}`,
        { name: 'w', description: 'e', privLevel: 10, capabilities: [] },
      ],
    ],
    ['DELETE /roles', async () => [`/roles?id=${await id('/roles', 'name=w')}`]],
    ['POST /capabilities', async () => ['/capabilities', { name: 'w', description: 'd' }]],
    ['PUT /capabilities/:name', async () => ['/capabilities/w', { description: 'e' }]],
    [
      'POST /api_capabilities',
      async () => ['/api_capabilities', { httpMethod: 'GET', httpRoute: 'w', capability: 'w' }],
    ],
    [
      'PUT /api_capabilities/:id',
      async () => [
        `/api_capabilities/${await id('/api_capabilities', 'capability=w')}`,
        { httpMethod: 'PUT', httpRoute: 'w', capability: 'w' },
      ],
    ],
    [
      'DELETE /api_capabilities/:id',
      async () => [`/api_capabilities/${await id('/api_capabilities', 'capability=w')}`],
    ],
    ['DELETE /capabilities/:name', async () => ['/capabilities/w']],
    [
      'POST /users',
      async () => [
        '/users',
        {
          username: 'written',
          email: 'w@example.net',
          fullName: 'W',
          role: await id('/roles', 'name=portal'),
          tenantId: await id('/tenants', 'name=root'),
          ...password,
        },
      ],
    ],
    [
      'PUT /users/:id',
      async () => [
        `/users/${await user()}`,
        {
          username: 'written',
          email: 'w@example.net',
          fullName: 'W W',
          role: await id('/roles', 'name=portal'),
          tenantId: await id('/tenants', 'name=root'),
        },
      ],
    ],
    [
      'POST /users/register',
      async () => [
        '/users/register',
        {
          email: 'r@example.net',
          role: await id('/roles', 'name=read-only'),
          tenantId: await id('/tenants', 'name=root'),
        },
      ],
    ],
    ['PUT /user/current', async () => ['/user/current', { user: { company: 'W' } }]],
    ['POST /user/current/update', async () => ['/user/current/update', { user: { company: 'X' } }]],
    ['POST /tokens', async () => ['/tokens', { description: 'w', scopes: ['read'] }]],
    ['DELETE /tokens/:id', async () => [`/tokens/${(await find('/tokens')).id}`]],
    [
      'POST /deliveryservice_user',
      async () => ['/deliveryservice_user', { userId: await user(), deliveryServices: [await vod()] }],
    ],
    [
      'DELETE /deliveryservice_user/:dsId/:userId',
      async () => [`/deliveryservice_user/${await vod()}/${await user()}`],
    ],
  ]
}
