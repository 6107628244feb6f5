/** Config file to parameters, by name and value. */
type Files = Readonly<Record<string, readonly (readonly [name: string, value: string])[]>>

/** Where the packages of cache server 9 keep its configuration. */
const configDirectory = '/etc/trafficserver'

/**
 * Profiles to copy for the machines of a first CDN: caches of version 9, a router, a monitor. They say what every
 * installation needs and nothing of its own: no address, no disk. What a machine's packages bring along stays as it is
 * where no parameter speaks of it.
 */
const starters = (): readonly { name: string; type: string; description: string; files: Files }[] => [
  {
    name: 'EDGE_STARTER',
    type: 'ATS_PROFILE',
    description: 'To copy: edges of cache server 9',
    files: {
      ...cacheFiles({
        'http.server_ports': 'STRING 80 80:ipv6 443:ssl 443:ssl:ipv6',
        'url_remap.remap_required': 'INT 1',
      }),
      ...placed('bg_fetch.config', 'drop_qstring.config', 'sni.yaml', 'ssl_multicert.config'),
      'parent.config': [...placed('parent.config')['parent.config']!, ['algorithm', 'consistent_hash']],
    },
  },
  {
    name: 'MID_STARTER',
    type: 'ATS_PROFILE',
    description: 'To copy: mids of cache server 9',
    // A mid forwards what it has no rule for: most delivery services need none there (config-files.md §4.2).
    files: cacheFiles({ 'http.server_ports': 'STRING 80 80:ipv6', 'url_remap.remap_required': 'INT 0' }),
  },
  {
    name: 'CCR_STARTER',
    type: 'TR_PROFILE',
    description:
      'To copy: routers; add coveragezone.polling.url and geolocation.polling.url of config file CRConfig.json',
    files: {
      'server.xml': [['api.port', '3333']],
      'CRConfig.json': [
        ['tld.soa.expire', '604800'],
        ['tld.soa.minimum', '30'],
        ['tld.soa.refresh', '28800'],
        ['tld.soa.retry', '7200'],
        ['tld.ttls.A', '3600'],
        ['tld.ttls.AAAA', '3600'],
        ['tld.ttls.DNSKEY', '30'],
        ['tld.ttls.DS', '30'],
        ['tld.ttls.NS', '3600'],
        ['tld.ttls.SOA', '86400'],
        ['coveragezone.polling.interval', '3600000'],
        ['geolocation.polling.interval', '3600000'],
        ['dnssec.dynamic.response.expiration', '300s'],
        ['keystore.maintenance.interval', '300'],
        ['zonemanager.cache.maintenance.interval', '300'],
      ],
    },
  },
  {
    name: 'RASCAL_STARTER',
    type: 'TM_PROFILE',
    description: 'To copy: monitors',
    files: {
      'rascal-config.txt': [
        ['health.event-count', '200'],
        ['health.polling.interval', '6000'],
        ['health.threadPool', '16'],
        ['health.timepad', '0'],
        ['heartbeat.polling.interval', '3000'],
        ['peers.polling.interval', '3000'],
        ['tm.polling.interval', '5000'],
      ],
    },
  },
]

export const starterProfiles = () => starters().map(({ files: _, ...profile }) => profile)

/** Every parameter once, with the profiles that have it. */
export function starterParameters() {
  const byContent = new Map<string, { configFile: string; name: string; value: string; profiles: string[] }>()
  for (const { name: profile, files } of starters()) {
    for (const [configFile, settings] of Object.entries(files)) {
      for (const [name, value] of settings) {
        const key = JSON.stringify([configFile, name, value])
        const known = byContent.get(key)
        if (known) known.profiles.push(profile)
        else byContent.set(key, { configFile, name, value, profiles: [profile] })
      }
    }
  }
  return [...byContent.values()]
}

/** What a cache of either tier has. */
function cacheFiles(records: Readonly<Record<string, string>>): Files {
  const settings = Object.entries({ ...commonRecords, ...records })
  return {
    ...placed('cache.config', 'ip_allow.yaml', 'parent.config', 'regex_revalidate.config', 'remap.config'),
    'plugin.config': [
      ['location', configDirectory],
      ['regex_revalidate.so', '--config regex_revalidate.config'],
      ['stats_over_http.so', '_stats'],
    ],
    'records.config': [
      ['location', configDirectory],
      ...settings.map(([name, value]) => [`CONFIG proxy.config.${name}`, value] as const),
    ],
    'CRConfig.json': [
      ['weight', '0.999'],
      ['weightMultiplier', '1000'],
    ],
    'rascal.properties': [
      ['health.connection.timeout', '2000'],
      ['health.polling.format', 'stats_over_http'],
      ['health.polling.type', 'http'],
      ['health.polling.url', 'http://${hostname}/_stats'],
      ['health.threshold.availableBandwidthInKbps', '>50000'],
      ['health.threshold.loadavg', '25.0'],
      ['health.threshold.queryTime', '1000'],
      ['history.count', '30'],
    ],
  }
}

const commonRecords = {
  proxy_name: 'STRING __HOSTNAME__',
  'http.cache.http': 'INT 1',
  'http.cache.required_headers': 'INT 0',
  'http.insert_response_via_str': 'INT 1',
  'http.negative_caching_enabled': 'INT 1',
  'http.negative_caching_lifetime': 'INT 1',
  'http.parent_proxy.fail_threshold': 'INT 10',
  'http.parent_proxy.retry_time': 'INT 30',
  'http.response_server_enabled': 'INT 0',
  'log.logging_enabled': 'INT 3',
  'reverse_proxy.enabled': 'INT 1',
  'url_remap.pristine_host_hdr': 'INT 0',
}

/** A `location` parameter per file: what gives it to a cache. */
function placed(...files: readonly string[]): Record<string, readonly (readonly [string, string])[]> {
  return Object.fromEntries(files.map((file) => [file, [['location', configDirectory] as const]]))
}
