import { Type } from '@sinclair/typebox'
import { noSuch } from '../config/errors.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import { unseen } from '../records/kinds/parameterSecrecy.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'
import { sortAndPage } from './crud/lists.js'
import { reading } from './crud/reading.js'
import { asConfig } from './parameters/parameterShapes.js'

/** What CDNs are asked for beside their own records. */
export const cdnRoutes: readonly (() => Endpoint)[] = [
  reading(
    '/cdns/domains',
    'Domains of the CDNs by router profile',
    Type.Array(
      Type.Object({
        profileId: Type.Integer(),
        parameterId: Type.Integer(),
        profileName: Type.String(),
        profileDescription: Type.String(),
        domainName: Type.String(),
      }),
    ),
    domains,
  ),
  reading(
    '/cdns/configs',
    'Names of CDNs that have a configuration',
    Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    ({ version, query }, data) =>
      sortAndPage(data.all('cdns'), query, 'name').map(({ id, name }) => ({
        id: version === '1.3' ? id : String(id),
        name,
      })),
  ),
  reading(
    '/cdns/:cdn_name/configs',
    'Parameters of the profiles that the servers of a CDN, or of all, have',
    Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String(), value: Type.String(), config_file: Type.String() }),
    ),
    parameters,
  ),
]

/**
 * Router profiles are known by their name (beyond.md §1.5); those of `ALL`, which has no domain, are for no router. The
 * domain is no parameter: its id says so.
 */
function domains({ version, query }: RequestInput, data: Data) {
  const number = (id: number) => (version === '1.3' ? id : String(id))
  const isServed = (cdn: number | null) => cdn !== null && data.get('cdns', cdn)!.name !== 'ALL'
  const routers = data.all('profiles').filter(({ name, cdn }) => name.startsWith('CCR') && isServed(cdn))
  return sortAndPage(routers, query, 'name').map(({ id, name, description, cdn }) => ({
    profileId: number(id),
    parameterId: number(-1),
    profileName: name,
    profileDescription: description,
    domainName: data.get('cdns', cdn)!.domainName,
  }))
}

function parameters(input: RequestInput, data: Data) {
  const { cdn_name: name = '' } = input.params
  const cdn = findOne(data, 'cdns', 'name', name)
  if (!cdn && name !== 'all') throw noSuch('cdn', name)
  const servers = cdn ? data.by('servers', 'cdnId', cdn.id) : data.all('servers')
  const profiles = new Set(servers.map(({ profileId }) => profileId))
  const used = data.all('parameters').filter((parameter) => parameter.profiles.some((id) => profiles.has(id)))
  return sortAndPage(used, input.query, 'name', unseen).map((parameter) => asConfig(parameter, input))
}
