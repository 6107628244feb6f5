import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Delivery services, their patterns, assignments, origins and static names. */
export function services(finder: Finder): readonly Line[] {
  const { client, find, id, typeOf } = finder
  const { chi, vod } = known(finder)
  const service = async (xmlId: string) => {
    const { id: _, ...copy } = (await find('/deliveryservices', 'xmlId=vod')) as { id: number } & object
    return { ...copy, xmlId, orgServerFqdn: `http://${xmlId}.example.org` }
  }
  const regexes = async () => `/deliveryservices/${await vod()}/regexes`
  return [
    ['POST /deliveryservices', async () => ['/deliveryservices', await service('written')]],
    [
      'PUT /deliveryservices/:id',
      async () => [
        `/deliveryservices/${await id('/deliveryservices', 'xmlId=written')}`,
        { ...(await service('written')), longDesc: 'changed' },
      ],
    ],
    [
      'PUT /deliveryservices/:id/safe',
      async () => [`/deliveryservices/${await vod()}/safe`, { displayName: 'changed' }],
    ],
    [
      'POST /deliveryservices/:dsId/regexes',
      async () => [await regexes(), { pattern: '.*\\.written\\..*', type: await typeOf('HOST_REGEXP'), setNumber: 9 }],
    ],
    [
      'PUT /deliveryservices/:dsId/regexes/:id',
      async () => [
        `${await regexes()}/${(await find(await regexes())).id}`,
        { pattern: '.*\\.rewritten\\..*', type: await typeOf('HOST_REGEXP'), setNumber: 9 },
      ],
    ],
    [
      'DELETE /deliveryservices/:dsId/regexes/:id',
      async () => [`${await regexes()}/${(await find(await regexes())).id}`],
    ],
    [
      'POST /deliveryserviceserver',
      async () => [
        '/deliveryserviceserver',
        { dsId: await id('/deliveryservices', 'xmlId=written'), servers: [await chi()] },
      ],
    ],
    [
      'DELETE /deliveryservice_server/:dsId/:serverId',
      async () => [`/deliveryservice_server/${await id('/deliveryservices', 'xmlId=written')}/${await chi()}`],
    ],
    [
      'POST /deliveryservices/:xml_id/servers',
      async () => ['/deliveryservices/written/servers', { serverNames: ['edge-chi-02'] }],
    ],
    [
      'POST /origins',
      async () => ['/origins', { name: 'o', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: await vod() }],
    ],
    [
      'PUT /origins',
      async () => [
        `/origins?id=${await id('/origins', 'name=o')}`,
        { name: 'o', fqdn: 'p.example.org', protocol: 'http', deliveryServiceId: await vod() },
      ],
    ],
    [
      'DELETE /origins',
      async () => {
        const body = { name: 'q', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: await vod() }
        await client.ok('POST', '/api/1.3/origins', body)
        return [`/origins?id=${await id('/origins', 'name=q')}`]
      },
    ],
    ['DELETE /origin', async () => [`/origin?id=${await id('/origins', 'name=o')}`]],
    [
      'POST /staticdnsentries',
      async () => [
        '/staticdnsentries',
        {
          host: 'static',
          address: '192.0.2.1',
          typeId: await typeOf('A_RECORD'),
          ttl: 60,
          deliveryserviceId: await vod(),
        },
      ],
    ],
    [
      'PUT /staticdnsentries',
      async () => [
        `/staticdnsentries?id=${await id('/staticdnsentries', 'host=static')}`,
        {
          host: 'static',
          address: '192.0.2.2',
          typeId: await typeOf('A_RECORD'),
          ttl: 60,
          deliveryserviceId: await vod(),
        },
      ],
    ],
    ['DELETE /staticdnsentries', async () => [`/staticdnsentries?id=${await id('/staticdnsentries', 'host=static')}`]],
  ]
}
