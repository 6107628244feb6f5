import { configDirectory } from './cacheProfiles.js'
import { globalSettings, type ProfileDescription, profileDescriptions } from './profiles.js'
import type { servers as sampleServers } from './servers.js'
import type { SampleService } from './service.js'
import { carries } from './serviceRecords.js'

type Servers = typeof sampleServers

/** The profiles, and every distinct parameter once with the names of the profiles that have it. */
export function profileRecords(services: readonly SampleService[], servers: Servers) {
  const descriptions = profileDescriptions()
  const own = descriptions.flatMap(({ name, files }) => settingsOf(name, files))
  const wanted = [...settingsOf('GLOBAL', globalSettings), ...own, ...serviceFiles(services, servers)]
  return {
    profiles: descriptions.map(({ files: _, ...profile }) => ({ ...profile, routingDisabled: false })),
    parameters: distinct(wanted),
  }
}

interface ProfileSetting {
  readonly profile: string
  readonly configFile: string
  readonly name: string
  readonly value: string
}

function settingsOf(profile: string, files: ProfileDescription['files']): ProfileSetting[] {
  return Object.entries(files).flatMap(([configFile, settings]) =>
    settings.map(([name, value]) => ({ profile, configFile, name, value })),
  )
}

/**
 * The parameters that come with a delivery service: each file its remap line names must be listed by the caches
 * that get the line (config-files.md §1), and a url_sig file needs the answer to give to the unsigned.
 */
function serviceFiles(services: readonly SampleService[], servers: Servers): ProfileSetting[] {
  return services.flatMap((service) => {
    const { record } = service
    const edgeProfiles = unique(servers.filter((server) => server.type === 'EDGE' && carries(server, service)))
    const midProfiles = unique(servers.filter(({ type, cdnName }) => type === 'MID' && cdnName === record.cdnName))
    const signed = record.signingAlgorithm === 'url_sig' ? `url_sig_${record.xmlId}.config` : null
    const onEdges = [
      record.edgeHeaderRewrite && `hdr_rw_${record.xmlId}.config`,
      record.regexRemap && `regex_remap_${record.xmlId}.config`,
      record.cacheurl && `cacheurl_${record.xmlId}.config`,
      signed,
    ].filter((file) => file !== null)
    const onMids = record.midHeaderRewrite === null ? [] : [`hdr_rw_mid_${record.xmlId}.config`]
    return [
      ...pairs(edgeProfiles, onEdges).map((pair) => ({ ...pair, name: 'location', value: configDirectory })),
      ...pairs(midProfiles, onMids).map((pair) => ({ ...pair, name: 'location', value: configDirectory })),
      ...pairs(edgeProfiles, signed === null ? [] : [signed]).map((pair) => ({
        ...pair,
        name: 'error_url',
        value: '403',
      })),
    ]
  })
}

const unique = (servers: Servers) => [...new Set(servers.map(({ profile }) => profile))]

const pairs = (profiles: readonly string[], files: readonly (string | null)[]) =>
  profiles.flatMap((profile) => files.filter((file) => file !== null).map((configFile) => ({ profile, configFile })))

function distinct(settings: readonly ProfileSetting[]) {
  const byContent = new Map<
    string,
    { name: string; configFile: string; value: string; secure: boolean; profiles: string[] }
  >()
  for (const { profile, configFile, name, value } of settings) {
    const key = JSON.stringify([name, configFile, value])
    const parameter = byContent.get(key) ?? { name, configFile, value, secure: false, profiles: [] }
    if (!parameter.profiles.includes(profile)) parameter.profiles.push(profile)
    byContent.set(key, parameter)
  }
  return [...byContent.values()]
}
