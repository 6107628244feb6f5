import { cacheProfiles } from './cacheProfiles.js'
import type { ProfileDescription, Setting } from './profileDescription.js'

/** The profiles of the sample's machines and delivery services. */
export function profileDescriptions(): readonly ProfileDescription[] {
  return [
    ...cacheProfiles(),
    ...['stream', 'classic'].flatMap((cdnName) => [monitor(cdnName), router(cdnName)]),
    {
      name: 'ORG_STREAM',
      description: 'Origins of multi-site services',
      type: 'ORG_PROFILE',
      cdnName: 'stream',
      files: {
        'parent.config': [
          ['weight', '1.0'],
          ['rank', '1'],
        ],
      },
    },
    {
      name: 'ORG_STREAM_SPARE',
      description: 'Spare origins, asked by address and only after the others',
      type: 'ORG_PROFILE',
      cdnName: 'stream',
      files: {
        'parent.config': [
          ['weight', '0.5'],
          ['rank', '2'],
          ['use_ip_address', '1'],
          ['port', '8080'],
        ],
      },
    },
    {
      name: 'ORG_CLASSIC',
      description: 'Origins of the classic CDN',
      type: 'ORG_PROFILE',
      cdnName: 'classic',
      files: { 'parent.config': [['weight', '0.999']] },
    },
    service('DS_MULTI_SITE', 'Retries for multi-site origins', 'stream', {
      'parent.config': [
        ['mso.algorithm', 'consistent_hash'],
        ['mso.parent_retry', 'both'],
        ['mso.max_simple_retries', '2'],
        ['mso.max_unavailable_server_retries', '2'],
        ['mso.unavailable_server_retry_responses', '"502,503"'],
      ],
    }),
    service('DS_MULTI_SITE_CLASSIC', 'Retries for multi-site origins of the classic CDN', 'classic', {
      'parent.config': [
        ['mso.algorithm', 'consistent_hash'],
        ['mso.parent_retry', 'unavailable_server_retry'],
        ['mso.unavailable_server_retry_responses', '"500,503"'],
      ],
    }),
    service('DS_IMAGES', 'Image sizes are part of the cache key, nothing else of the query is', 'stream', {
      'cachekey.config': [
        ['include-params', 'w,h,fmt'],
        ['sort-params', 'true'],
      ],
      'parent.config': [['psel.qstring_handling', 'consider']],
    }),
    service('DS_SLICED', 'Large objects in blocks of 4 MiB', 'stream', {
      'remap.config': [['slice.pparam', '--blockbytes=4194304']],
    }),
    service('DS_SIGNED', 'The signature covers the address the client asked for', 'stream', {
      'remap.config': [['url_sig.pparam', 'pristineurl']],
    }),
    service('DS_LONG_LIVED', 'Objects that rarely change are kept for a week', 'stream', {
      'records.config': [['CONFIG proxy.config.http.cache.heuristic_max_lifetime', 'INT 604800']],
    }),
    service('DS_MODERN_TLS', 'TLS 1.2 and newer, HTTP/2', 'stream', {
      'parent.config': [
        ['enable_h2', 'true'],
        ['tls_versions', 'TLSv1_2,TLSv1_3'],
      ],
    }),
  ]
}

/** Parameters that are looked up in any profile or in GLOBAL: who the agent asks, and the scope of own files. */
export const globalSettings: Readonly<Record<string, readonly Setting[]>> = {
  global: [
    ['tm.infourl', 'https://docs.example.net/cdn'],
    ['use_reval_pending', '1'],
    ['default_geo_miss_latitude', '39.75'],
    ['default_geo_miss_longitude', '-105'],
  ],
  // On GLOBAL, not on the cache profiles: there its value would become a line of the file.
  'collectd-cache.conf': [['scope', 'profiles']],
}

function service(
  name: string,
  description: string,
  cdnName: string,
  files: ProfileDescription['files'],
): ProfileDescription {
  return { name, description, type: 'DS_PROFILE', cdnName, files }
}

function monitor(cdnName: string): ProfileDescription {
  const tool = 'https://${tmHostname}'
  return {
    name: `RASCAL_${cdnName.toUpperCase()}`,
    description: `Monitors of the CDN ${cdnName}`,
    type: 'TM_PROFILE',
    cdnName,
    files: {
      'rascal-config.txt': [
        ['location', '/opt/traffic_monitor/conf'],
        ['CDN_name', cdnName],
        ['peers.polling.interval', '5000'],
        ['health.polling.interval', '8000'],
        ['heartbeat.polling.interval', '3000'],
        ['tm.polling.interval', '10000'],
        ['health.event-count', '200'],
        ['health.threadPool', '16'],
        ['health.timepad', '10'],
        ['hack.ttl', '30'],
        ['tm.crConfig.polling.url', `${tool}/CRConfig-Snapshots/\${cdnName}/CRConfig.json`],
        ['tm.dataServer.polling.url', `${tool}/dataserver/orderby/id`],
        ['tm.healthParams.polling.url', `${tool}/health/\${cdnName}`],
      ],
    },
  }
}

function router(cdnName: string): ProfileDescription {
  const maps = 'http://files.example.net/routing'
  return {
    name: `CCR_${cdnName.toUpperCase()}`,
    description: `Routers of the CDN ${cdnName}`,
    type: 'TR_PROFILE',
    cdnName,
    files: {
      'server.xml': [['api.port', '3333']],
      'CRConfig.json': [
        ['tld.soa.admin', 'hostmaster@example.net'],
        ['tld.soa.expire', '604800'],
        ['tld.soa.minimum', '30'],
        ['tld.soa.refresh', '28800'],
        ['tld.soa.retry', '7200'],
        ['tld.ttls.A', '3600'],
        ['tld.ttls.AAAA', '3600'],
        ['tld.ttls.NS', '3600'],
        ['tld.ttls.SOA', '86400'],
        ['tld.ttls.DNSKEY', '30'],
        ['tld.ttls.DS', '30'],
        ['coveragezone.polling.interval', '86400000'],
        ['coveragezone.polling.url', `${maps}/${cdnName}-czf.json`],
        ['geolocation.polling.interval', '86400000'],
        ['geolocation.polling.url', `${maps}/GeoLite2-City.mmdb.gz`],
        ['geolocation6.polling.interval', '86400000'],
        ['geolocation6.polling.url', `${maps}/GeoLite2-City.mmdb.gz`],
        ['regional_geoblock.polling.interval', '86400000'],
        ['regional_geoblock.polling.url', `${maps}/regional.json`],
        ['deepcoveragezone.polling.interval', '86400000'],
        ['deepcoveragezone.polling.url', `${maps}/${cdnName}-deep-czf.json`],
        ['anonymousip.policy.configuration', `${maps}/anonymous-policy.json`],
        ['anonymousip.polling.interval', '86400000'],
        ['anonymousip.polling.url', `${maps}/GeoIP2-Anonymous-IP.mmdb`],
        ['neustar.polling.interval', '86400000'],
        ['neustar.polling.url', `${maps}/neustar.tar.gz`],
        ['maxmind.default.override', 'US;39.75,-105'],
        ['LogRequestHeaders', 'User-Agent __RETURN__ X-Forwarded-For'],
        ['zonemanager.cache.maintenance.interval', '300'],
        ['keystore.maintenance.interval', '300'],
        ['dnssec.dynamic.response.expiration', '300s'],
      ],
    },
  }
}
