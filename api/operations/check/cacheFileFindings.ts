import { cacheServerVersion } from '../../../compiler/cdn/parameters.js'
import { isCache } from '../../../compiler/cdn/services.js'
import type { Data } from '../../schema/data.js'
import { asReader } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { Finding } from './finding.js'
import { isInUse, someOf, typeOf } from './subjects.js'

/**
 * Caches that would get no remap.config or parent.config: a file is given to a cache when its profile says where it
 * belongs. Told once for each profile.
 */
export function cacheFileFindings(data: Data, cdn: Records['cdns']): Finding[] {
  const byProfile = new Map<number, string[]>()
  for (const server of data.by('servers', 'cdnId', cdn.id)) {
    if (!isCache(typeOf(data, server)) || !isInUse(data, server)) continue
    const hosts = byProfile.get(server.profileId)
    if (hosts) hosts.push(server.hostName)
    else byProfile.set(server.profileId, [server.hostName])
  }
  return [...byProfile].flatMap(([profileId, hosts]) => {
    const profile = data.get('profiles', profileId)
    if (!profile) return []
    return lacking(data, profileId).map((file): Finding => {
      const text = `${someOf(hosts)} would get no ${file}: profile ${profile.name} does not say where it belongs.`
      const fix = `Add a parameter 'location' of config file ${file} to ${profile.name}, its value the cache's config directory (/etc/trafficserver).`
      const record = { kind: 'profiles', id: profileId, name: profile.name }
      return {
        code: file === 'remap.config' ? 'no-remap-config' : 'no-parent-config',
        level: 'error',
        record,
        text,
        fix,
      }
    })
  })
}

/** With a remap.config, caches from version 8 on are given a parent.config in any case (`listing`). */
function lacking(data: Data, profileId: number): string[] {
  const placed = new Set(
    ['location', 'URL'].flatMap((name) =>
      data.by('parameters', 'profileName', `${profileId}/${name}`).map(({ configFile }) => configFile),
    ),
  )
  if (!placed.has('remap.config')) return ['remap.config']
  const isGiven = placed.has('parent.config') || cacheServerVersion(asReader(data), profileId) >= 8
  return isGiven ? [] : ['parent.config']
}
