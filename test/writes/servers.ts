import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Servers, their updates and what is checked on them. */
export function servers(finder: Finder): readonly Line[] {
  const { find, id } = finder
  const { stream, chi, vod } = known(finder)
  const server = async () => {
    const { id: _, ...copy } = (await find('/servers', 'hostName=edge-chi-01')) as { id: number } & object
    return { ...copy, hostName: 'written', ipAddress: '192.0.2.77', ip6Address: null, updPending: false }
  }
  const extension = { version: '1', info_url: '-', script_file: 'x', isactive: '1', additional_config_json: '{}' }
  return [
    ['POST /servers', async () => ['/servers', await server()]],
    [
      'PUT /servers/:id',
      async () => [`/servers/${await id('/servers', 'hostName=written')}`, { ...(await server()), rack: 'R1' }],
    ],
    [
      'POST /servers/:id/deliveryservices',
      async () => [`/servers/${await id('/servers', 'hostName=written')}/deliveryservices`, [await vod()]],
    ],
    ['POST /servers/:id/queue_update', async () => [`/servers/${await chi()}/queue_update`, { action: 'queue' }]],
    ['POST /servers/queue_update', async () => ['/servers/queue_update', { action: 'queue', type: 'MID' }]],
    ['POST /cdns/:id/queue_update', async () => [`/cdns/${await stream()}/queue_update`, { action: 'queue' }]],
    ['POST /update/:host', async () => ['/update/edge-chi-01', { updated: 0 }]],
    [
      'PUT /servers/:id/status',
      async () => [`/servers/${await chi()}/status`, { status: 'ADMIN_DOWN', offlineReason: 'tested' }],
    ],
    [
      'POST /to_extensions',
      async () => [
        '/to_extensions',
        { ...extension, name: 'W', servercheck_short_name: 'W', type: 'CHECK_EXTENSION_BOOL' },
      ],
    ],
    ['POST /servercheck', async () => ['/servercheck', { id: await chi(), servercheck_short_name: 'W', value: 1 }]],
    ['POST /to_extensions/:id/delete', async () => [`/to_extensions/${await id('/to_extensions', 'name=W')}/delete`]],
    ['POST /hwinfo', async () => ['/hwinfo', { serverId: await chi(), description: 'disk', val: 'v' }]],
    [
      'POST /stats_summary/create',
      async () => ['/stats_summary/create', { statName: 's', statValue: 1, statDate: '2026-01-01' }],
    ],
  ]
}
