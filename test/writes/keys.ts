import { setTimeout } from 'node:timers/promises'
import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Keys and snapshots, and at last the server and service that were made for them. */
export function keys(finder: Finder): readonly Line[] {
  const { client, id } = finder
  const { chi, vod } = known(finder)
  const dnssec = { key: 'written', name: 'w.example', ttl: '60', kskExpirationDays: '365' }
  /** Keys are made on when the answer is there; on a busy machine the next line would find them under way. */
  const made = async () => {
    const progress = '/api/1.3/cdns/name/written/dnsseckeys/progress'
    while ((await client.ok('GET', progress)).body.response.state === 'making') await setTimeout(20)
  }
  const subject = { country: 'XX', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
  const signing = (kid: string) => {
    const key = { alg: 'HS256', kid, kty: 'oct', k: 'bm90LWEtc2VjcmV0LWJ1dC1sb25nLWVub3VnaC1mb3ItaHMyNTY' }
    return { issuer: { renewal_kid: kid, keys: [key] } }
  }
  const versions = async () =>
    (await client.ok('GET', '/api/1.3/cdns/stream/snapshots')).body.response as { version: number }[]
  const written = {
    key: 'written',
    deliveryservice: 'written',
    cdn: 'stream',
    hostname: '*.written.stream.example.net',
  }
  const certificate = async (xmlId: string) => {
    const { response } = (await client.ok('GET', `/api/1.3/deliveryservices/xmlId/${xmlId}/sslkeys?decode=true`)).body
    return response.certificate as object
  }
  return [
    [
      'POST /deliveryservices/sslkeys/generate',
      async () => ['/deliveryservices/sslkeys/generate', { ...written, version: '1', ...subject }],
    ],
    [
      'POST /deliveryservices/sslkeys/add',
      async () => [
        '/deliveryservices/sslkeys/add',
        { ...written, version: '2', certificate: await certificate('written') },
      ],
    ],
    ...(['GET', 'DELETE'] as const).map(
      (method): Line => [
        `${method} /deliveryservices/xmlId/:xmlId/sslkeys/delete`,
        async () => {
          const again = { ...written, version: '2', certificate: await certificate('written') }
          await client.request('POST', '/api/1.3/deliveryservices/sslkeys/add', again)
          return ['/deliveryservices/xmlId/written/sslkeys/delete?version=2']
        },
      ],
    ),
    ['DELETE /deliveryservices/xmlId/:xmlId/sslkeys', async () => ['/deliveryservices/xmlId/written/sslkeys']],
    [
      'POST /deliveryservices/xmlId/:xmlId/urlkeys/generate',
      async () => ['/deliveryservices/xmlId/vod/urlkeys/generate'],
    ],
    [
      'POST /deliveryservices/xmlId/:xmlId/urlkeys/copyFromXmlId/:copyFromXmlId',
      async () => ['/deliveryservices/xmlId/written/urlkeys/copyFromXmlId/vod'],
    ],
    ['POST /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys', signing('a')]],
    ['PUT /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys', signing('b')]],
    ['DELETE /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys']],
    [
      'POST /cdns/dnsseckeys/generate',
      async () => ['/cdns/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '30' }],
    ],
    [
      'POST /deliveryservices/dnsseckeys/generate',
      async () => {
        await made()
        return ['/deliveryservices/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '31' }]
      },
    ],
    [
      'DELETE /cdns/name/:name/dnsseckeys',
      async () => {
        await made()
        return ['/cdns/name/written/dnsseckeys']
      },
    ],
    ...(['GET', 'DELETE'] as const).map(
      (method): Line => [
        `${method} /cdns/name/:name/dnsseckeys/delete`,
        async () => {
          await client.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '30' })
          await made()
          return ['/cdns/name/written/dnsseckeys/delete']
        },
      ],
    ),
    ['PUT /snapshot/:name', async () => ['/snapshot/stream?force=true']],
    [
      'PUT /snapshot/:name',
      async () => {
        await client.ok('PUT', `/api/1.3/servers/${await chi()}/status`, { status: 'ONLINE' })
        return ['/snapshot/stream?force=true']
      },
    ],
    [
      'POST /cdns/:name/snapshots/:version/activate',
      async () => [`/cdns/stream/snapshots/${Math.min(...(await versions()).map(({ version }) => version))}/activate`],
    ],
    [
      'DELETE /cdns/:name/snapshots/:version',
      async () => [`/cdns/stream/snapshots/${Math.max(...(await versions()).map(({ version }) => version))}`],
    ],
    ['GET /tools/write_crconfig/:name', async () => ['/tools/write_crconfig/classic?force=true']],
    ['PUT /cdns/:id/snapshot', async () => [`/cdns/${await id('/cdns', 'name=classic')}/snapshot?force=true`]],
    [
      'POST /user/current/jobs',
      async () => [
        '/user/current/jobs',
        { dsId: await vod(), regex: '/x', startTime: new Date().toISOString(), ttl: 24 },
      ],
    ],
    [
      'DELETE /deliveryservices/:id',
      async () => [`/deliveryservices/${await id('/deliveryservices', 'xmlId=written')}`],
    ],
    ['DELETE /servers/:id', async () => [`/servers/${await id('/servers', 'hostName=written')}`]],
  ]
}
