import { records } from './cacheRecords.js'
import { astats, health, kernel, logging } from './cacheSettings.js'
import type { ProfileDescription, Setting } from './profileDescription.js'

type Files = ProfileDescription['files']

/** Where the cache server of the sample's machines keeps its configuration. */
export const configDirectory = '/etc/trafficserver'

/** DSCP marks that the sample's delivery services use; each is a small file of its own on the edges. */
export const dscpMarks = [0, 8, 10, 18, 26, 34]

/** Profiles of the caches: a tier, a major version of the cache server, and what differs from the usual. */
export function cacheProfiles(): readonly ProfileDescription[] {
  return [
    cache({ name: 'EDGE_ATS9', tier: 'edge', version: 9, description: 'Edges with disks and RAM drives' }),
    cache({
      name: 'EDGE_ATS9_SSD',
      tier: 'edge',
      version: 9,
      description: 'Edges with flash only',
      own: {
        'storage.config': [
          ['location', configDirectory],
          ['SSD_Drive_Prefix', '/dev/nvme'],
          ['SSD_Drive_Letters', '0n1,1n1,2n1,3n1'],
        ],
      },
    }),
    cache({ name: 'EDGE_ATS8', tier: 'edge', version: 8, description: 'Edges still on version 8' }),
    cache({ name: 'MID_ATS9', tier: 'mid', version: 9, description: 'Mids' }),
    cache({
      name: 'MID_ATS9_CANARY',
      tier: 'mid',
      version: 9,
      description: 'A mid for trials, which no cache picks as a parent',
      own: {
        'parent.config': [
          ['location', configDirectory],
          ['not_a_parent', 'true'],
        ],
      },
    }),
    cache({ name: 'MID_ATS8', tier: 'mid', version: 8, description: 'Mids still on version 8' }),
    cache({ name: 'EDGE_ATS7', tier: 'edge', version: 7, description: 'Edges of the classic CDN' }),
    cache({ name: 'MID_ATS7', tier: 'mid', version: 7, description: 'Mids of the classic CDN' }),
    cache({ name: 'EDGE_ATS6', tier: 'edge', version: 6, description: 'The last edge on version 6' }),
    cache({ name: 'MID_ATS6', tier: 'mid', version: 6, description: 'The last mid on version 6' }),
  ]
}

interface Cache {
  readonly name: string
  readonly tier: 'edge' | 'mid'
  readonly version: number
  readonly description: string
  /** Config files in which this profile differs, whole. */
  readonly own?: Files
}

function cache({ name, tier, version, description, own = {} }: Cache): ProfileDescription {
  const usual = merge(
    everywhere(version),
    tier === 'edge' ? edgeFiles(version) : midFiles(version),
    records(tier, version),
  )
  const cdnName = version >= 8 ? 'stream' : 'classic'
  return { name, description, type: 'ATS_PROFILE', cdnName, files: { ...usual, ...own } }
}

const packages: Readonly<Record<number, string>> = {
  6: '6.2.3-1.el7',
  7: '7.1.12-1.el7',
  8: '8.1.11-1.el8',
  9: '9.2.5-1.el8',
}

function everywhere(version: number): Files {
  return merge(
    listed('12M_facts', '50-ats.rules', 'cache.config', 'hosting.config', 'parent.config', 'plugin.config'),
    listed('regex_revalidate.config', 'remap.config', 'storage.config', 'volume.config', 'sysctl.conf'),
    listed(version >= 9 ? 'ip_allow.yaml' : 'ip_allow.config', logFile(version), 'collectd-cache.conf', 'motd'),
    version >= 9 ? {} : listed('astats.config'),
    {
      'plugin.config': [
        ['regex_revalidate.so', '--config regex_revalidate.config'],
        version >= 9 ? ['stats_over_http.so', '_stats'] : ['astats_over_http.so', ''],
      ],
      'astats.config': version >= 9 ? [] : astats,
      'storage.config': [
        ['Drive_Prefix', '/dev/sd'],
        ['Drive_Letters', 'b,c,d'],
        ['RAM_Drive_Prefix', '/dev/ram'],
        ['RAM_Drive_Letters', '0,1'],
      ],
      'sysctl.conf': kernel,
      [logFile(version)]: logging,
      'ip_allow.config': [
        ['purge_allow_ip', '198.51.100.130'],
        ['purge_allow_ip', '2001:db8:ffff::10'],
        ['coalesce_masklen_v4', '24'],
        ['coalesce_number_v4', '5'],
        ['coalesce_masklen_v6', '48'],
        ['coalesce_number_v6', '5'],
      ],
      'CRConfig.json': [
        ['weight', '0.999'],
        ['weightMultiplier', '1000'],
      ],
      'rascal.properties': health(version),
      package: [
        ['trafficserver', packages[version]!],
        ...(version >= 9 ? [] : ([['astats_over_http', '1.6-1.el7']] as const)),
        ['collectd', '5.12.0-1.el8'],
      ],
      chkconfig: [
        ['trafficserver', '0:off 1:off 2:on 3:on 4:on 5:on 6:off'],
        ['collectd', '0:off 1:off 2:on 3:on 4:on 5:on 6:off'],
      ],
      'collectd-cache.conf': [
        ['header', '# Written by the CDN configuration service'],
        ['01-interval', 'Interval 10'],
        ['02-load', 'LoadPlugin cpu __RETURN__ LoadPlugin df __RETURN__ LoadPlugin interface'],
        ['03-network', 'LoadPlugin network'],
        ['04-server', '<Plugin network> __RETURN__   Server "203.0.113.20" "25826" __RETURN__ </Plugin>'],
      ],
      motd: [
        ['header', 'none'],
        ['1-name', 'This is __HOSTNAME__, configured by Edgewright.'],
        ['2-advice', 'Changes made here by hand are overwritten.'],
      ],
    },
  )
}

function edgeFiles(version: number): Files {
  const tls = version >= 9 ? listed('sni.yaml') : version === 8 ? listed('ssl_server_name.yaml') : {}
  const dscp = Object.fromEntries(
    dscpMarks.map((mark) => [`set_dscp_${mark}.config`, [['location', `${configDirectory}/dscp`]] as const]),
  )
  return merge(listed('bg_fetch.config', 'drop_qstring.config', 'ssl_multicert.config'), tls, dscp, {
    ...(version === 6 ? listed('cacheurl_qstring.config') : {}),
    'parent.config': [['algorithm', 'consistent_hash']],
  })
}

function midFiles(version: number): Files {
  return { 'parent.config': [['weight', version >= 9 ? '1.0' : '0.5']] }
}

const logFile = (version: number) =>
  version >= 8 ? 'logging.yaml' : version === 7 ? 'logging.config' : 'logs_xml.config'

/** Directories of files that do not live beside the cache server's own. */
const directories: Readonly<Record<string, string>> = {
  '12M_facts': '/opt/ort',
  '50-ats.rules': '/etc/udev/rules.d',
  'collectd-cache.conf': '/etc/collectd.d',
  motd: '/etc',
  'sysctl.conf': '/etc',
}

/** A `location` parameter per file: what puts it on the caches. */
function listed(...files: readonly string[]): Files {
  return Object.fromEntries(files.map((file) => [file, [['location', directories[file] ?? configDirectory]] as const]))
}

function merge(...parts: readonly Files[]): Files {
  const merged: Record<string, Setting[]> = {}
  for (const [file, settings] of parts.flatMap((part) => Object.entries(part))) {
    merged[file] = [...(merged[file] ?? []), ...settings]
  }
  return merged
}
