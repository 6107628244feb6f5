import type { ProfileSetting } from '../api/demo/parameterRecords.js'
import { parameterRecords, settingsOf } from '../api/demo/parameterRecords.js'
import { primaryOrigin } from '../api/demo/primaryOrigin.js'
import type { ProfileDescription } from '../api/demo/profileDescription.js'
import { profileDescriptions } from '../api/demo/profiles.js'
import type { SampleService } from '../api/demo/service.js'
import { serviceFiles } from '../api/demo/serviceFiles.js'
import { seed } from '../api/records/seed.js'
import { assign } from './fleetAssignments.js'
import { fleetServers } from './fleetServers.js'
import { fleetServices } from './fleetServices.js'
import type { FleetSize } from './fleetSizes.js'
import { fleetSizes } from './fleetSizes.js'
import { recordsOf } from './records.js'
import { seededRandom } from './seededRandom.js'

export interface FleetOptions {
  readonly size: keyof typeof fleetSizes | FleetSize
  readonly seed?: number
  /** Share of all pairs of an edge and a delivery service that are assigned. */
  readonly share?: number
  /** How much of an edge's services its whole cache group has: 1 = the same for all, 0 = drawn one by one. */
  readonly alike?: number
  /** Share of the delivery services with files of their own on the caches (header rewrite, regex remap, url_sig). */
  readonly ownFiles?: number
}

/**
 * A made-up fleet of one CDN named `fleet`, as an import document to load on top of the reference rows. The same
 * options give the same bytes. About 25 files per cache, and about 150 parameters per profile.
 */
export function fleetDocument(options: FleetOptions) {
  const size = typeof options.size === 'string' ? fleetSizes[options.size] : options.size
  const { seed: start = 1, share = 0.1, alike = 0.9, ownFiles = 0.01 } = options
  const random = seededRandom(start)
  const profiles = fleetProfiles(size.profiles)
  const { servers, ...places } = fleetServers(size, profiles)
  const tenants = Array.from({ length: size.tenants }, (_, index) => tenant(index))
  const services = fleetServices(size.services, { tenants: tenants.map(({ name }) => name), ownFiles, random })
  const deliveryServiceServers = assign(servers, services, { share, alike, random })
  return {
    cdns: [{ name: 'fleet', domainName: 'fleet.example.net', dnssecEnabled: false }],
    tenants,
    ...places,
    profiles: profiles.map(({ files: _, ...profile }) => ({ ...profile, routingDisabled: false })),
    parameters: parameterRecords([
      ...profiles.flatMap(({ name, files }) => settingsOf(name, files)),
      ...ownFileSettings(services, servers, deliveryServiceServers),
    ]),
    servers,
    deliveryServices: services.map(({ record }) => record),
    deliveryServiceRegexes: services.flatMap(({ regexes }) => regexes),
    origins: services.flatMap(primaryOrigin),
    deliveryServiceServers,
  }
}

/** The same fleet and the reference rows as records with ids, for what skips the API. */
export function fleetRecords(options: FleetOptions) {
  return recordsOf(seed(), fleetDocument(options))
}

/** A tenth of the tenants are top-level, the others hang below them. */
function tenant(index: number) {
  const parent = Math.floor(index / 10) * 10
  return { name: `tenant-${index}`, active: true, parentName: index === parent ? 'root' : `tenant-${parent}` }
}

/** Of ten cache profiles seven are for edges and three for mids; of each tier one is of version 8. */
const cacheProfileKinds =
  'EDGE_ATS9 EDGE_ATS9_SSD MID_ATS9 EDGE_ATS9 EDGE_ATS8 MID_ATS9 EDGE_ATS9 EDGE_ATS9 MID_ATS8 EDGE_ATS9'.split(' ')

/** Values in which profiles differ; all others are shared by every profile of a kind. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'CONFIG proxy.config.cache.ram_cache.size': ['INT 17179869184', 'INT 34359738368', 'INT 68719476736'],
  'CONFIG proxy.config.exec_thread.limit': ['INT 16', 'INT 24', 'INT 32', 'INT 48', 'INT 64'],
  'CONFIG proxy.config.http.transaction_no_activity_timeout_out': ['INT 20', 'INT 30', 'INT 40', 'INT 60'],
  'CONFIG proxy.config.log.max_space_mb_for_logs': ['INT 10000', 'INT 25000', 'INT 50000', 'INT 75000', 'INT 90000'],
  Drive_Letters: ['b,c', 'b,c,d', 'b,c,d,e,f,g', 'b,c,d,e,f,g,h,i,j,k'],
  'net.core.somaxconn': ['4096', '8192', '16384'],
}

function fleetProfiles(count: number): readonly ProfileDescription[] {
  const known = new Map(profileDescriptions().map((profile) => [profile.name, profile]))
  const caches = Array.from({ length: count - 3 }, (_, index) => {
    const kind = cacheProfileKinds[index % cacheProfileKinds.length]!
    const { files, type } = known.get(kind)!
    return {
      name: `${kind}_${index}`,
      description: `${kind}, ${index}`,
      type,
      cdnName: 'fleet',
      files: varied(files, index),
    }
  })
  const others = ['RASCAL', 'CCR', 'ORG'].map((kind) => {
    const profile = known.get(`${kind}_STREAM`)!
    return { ...profile, name: `${kind}_FLEET`, description: `${kind} of the fleet`, cdnName: 'fleet' }
  })
  return [...caches, ...others]
}

/** Every third number of these files is the profile's own, so that most parameters belong to one profile, some to all. */
const individual = new Set(['records.config', 'sysctl.conf', 'rascal.properties'])

function varied(files: ProfileDescription['files'], index: number): ProfileDescription['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([file, settings]) => [
      file,
      settings.map(([name, value], place) => {
        const variant = variants[name]
        if (variant) return [name, variant[index % variant.length]!] as const
        const own = individual.has(file) && place % 3 === 0
        return [
          name,
          own ? value.replace(/^(INT )?(\d+)$/, (_, type = '', digits) => `${type}${Number(digits) + index}`) : value,
        ] as const
      }),
    ]),
  )
}

function ownFileSettings(
  services: readonly SampleService[],
  servers: readonly { readonly hostName: string; readonly type: string; readonly profile: string }[],
  assignments: readonly { readonly server: string; readonly deliveryServices: readonly string[] }[],
): ProfileSetting[] {
  const edgeProfile = new Map(
    servers.filter(({ type }) => type === 'EDGE').map(({ hostName, profile }) => [hostName, profile]),
  )
  const mids = new Set(servers.filter(({ type }) => type === 'MID').map(({ profile }) => profile))
  const own = services.filter(({ record }) => record.edgeHeaderRewrite ?? record.regexRemap ?? record.signingAlgorithm)
  const edges = new Map(own.map(({ record }) => [record.xmlId, new Set<string>()]))
  if (own.length === 0) return []
  for (const { server, deliveryServices } of assignments) {
    const profile = edgeProfile.get(server)
    if (profile !== undefined) for (const xmlId of deliveryServices) edges.get(xmlId)?.add(profile)
  }
  return own.flatMap(({ record }) => serviceFiles(record, { edges: edges.get(record.xmlId)!, mids }))
}
