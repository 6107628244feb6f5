import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Federations and steering. */
export function federations(finder: Finder): readonly Line[] {
  const { client, find, id, typeOf } = finder
  const { vod } = known(finder)
  const federation = async () => (await find('/cdns/stream/federations')).id
  const user = () => id('/users', 'username=written')
  const me = async () => ((await client.ok('GET', '/api/1.3/user/current')).body.response as { id: number }).id
  const mappings = (address: string) => ({
    federations: [{ deliveryService: 'vod', mappings: { resolve4: [address], resolve6: [] } }],
  })
  const targets = async () => `/steering/${await id('/deliveryservices', 'xmlId=sports')}/targets`
  const weight = async (value: number) => ({ targetId: await vod(), value, typeId: await typeOf('STEERING_WEIGHT') })
  return [
    ['POST /cdns/:name/federations', async () => ['/cdns/stream/federations', { cname: 'w.example.com.', ttl: 60 }]],
    [
      'POST /federations/:id/deliveryservices',
      async () => [`/federations/${await federation()}/deliveryservices`, { dsIds: [await vod()] }],
    ],
    [
      'POST /federation_resolvers',
      async () => ['/federation_resolvers', { ipAddress: '192.0.2.0/25', typeId: await typeOf('RESOLVE4') }],
    ],
    [
      'POST /federations/:id/federation_resolvers',
      async () => [
        `/federations/${await federation()}/federation_resolvers`,
        { fedResolverIds: [(await find('/federation_resolvers', 'ipAddress=192.0.2.0/25')).id] },
      ],
    ],
    [
      'DELETE /federation_resolvers/:id',
      async () => [`/federation_resolvers/${(await find('/federation_resolvers', 'ipAddress=192.0.2.0/25')).id}`],
    ],
    [
      'POST /federations/:id/users',
      async () => [`/federations/${await federation()}/users`, { userIds: [await me(), await user()] }],
    ],
    ['DELETE /federations/:id/users/:userId', async () => [`/federations/${await federation()}/users/${await user()}`]],
    ['POST /federations', async () => ['/federations', mappings('192.0.2.1')]],
    ['PUT /federations', async () => ['/federations', mappings('192.0.2.2')]],
    ['DELETE /federations', async () => ['/federations']],
    [
      'DELETE /federations/:id/deliveryservices/:dsId',
      async () => {
        const at = `/federations/${await federation()}/deliveryservices`
        await client.ok('POST', `/api/1.3${at}`, { dsIds: [await id('/deliveryservices', 'xmlId=trailers')] })
        return [`${at}/${await vod()}`]
      },
    ],
    [
      'PUT /cdns/:name/federations/:id',
      async () => [
        `/cdns/stream/federations/${await federation()}`,
        { cname: 'v.example.com.', ttl: 61, description: 'changed' },
      ],
    ],
    ['DELETE /cdns/:name/federations/:id', async () => [`/cdns/stream/federations/${await federation()}`]],
    ['POST /steering/:dsId/targets', async () => [await targets(), await weight(1)]],
    ['PUT /steering/:dsId/targets/:targetId', async () => [`${await targets()}/${await vod()}`, await weight(2)]],
    ['DELETE /steering/:dsId/targets/:targetId', async () => [`${await targets()}/${await vod()}`]],
  ]
}
