import type { Line } from '../line.js'

type Finding = { id(list: string, filter: string): Promise<number> }
const text = 'text/plain'

export const configFiles: readonly Line[] = [
  {
    row: 'GET /servers/:hostname/configfiles/cachesw',
    role: 'oper',
    fill: () => ({ params: ['edge-chi-01'] }),
    bare: true,
    shape: {
      info: {
        profileId: 'int',
        profileName: 'text',
        toUrl: 'text',
        serverIpv4: 'text',
        serverName: 'text',
        serverId: 'int',
        cdnId: 'int',
        cdnName: 'text',
        serverTcpPort: 'int',
      },
      configFiles: [{ fnameOnDisk: 'text', location: 'text' }],
    },
  },
  {
    row: 'GET /servers/:hostname/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: () => ({ params: ['edge-chi-01', 'remap.config'] }),
    text,
  },
  {
    row: 'GET /servers/:host_id/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: async ({ id }: Finding) => ({ params: [await id('servers', 'hostName=edge-chi-01'), 'parent.config'] }),
    text,
  },
  {
    row: 'GET /profiles/:profile_name/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: () => ({ params: ['EDGE_ATS9', 'records.config'] }),
    text,
  },
  {
    row: 'GET /profiles/:profile_id/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: async ({ id }: Finding) => ({ params: [await id('profiles', 'name=EDGE_ATS9'), 'plugin.config'] }),
    text,
  },
  {
    row: 'GET /cdns/:cdn_name/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: () => ({ params: ['stream', 'regex_revalidate.config'] }),
    text,
  },
  {
    row: 'GET /cdns/:cdn_id/configfiles/cachesw/:configfile',
    role: 'oper',
    fill: async ({ id }: Finding) => ({ params: [await id('cdns', 'name=stream'), 'bg_fetch.config'] }),
    text,
  },
]
