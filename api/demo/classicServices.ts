import type { SampleService, ServiceName, ServiceOptions } from './service.js'
import { service as define } from './service.js'

const denver = 'edge-den'
const dallas = 'edge-dal'

const service = (name: ServiceName, options?: ServiceOptions) => define('classic', name, options)

/** The delivery services of the CDN `classic`, whose caches are of versions 6 and 7. */
export const classicServices: readonly SampleService[] = [
  service(
    { xmlId: 'magazine', type: 'HTTP', displayName: 'Magazine', tenant: 'broadcaster', cachegroups: [denver, dallas] },
    {
      orgServerFqdn: 'http://magazine-origin.example.org',
      protocol: 2,
      sslKeyVersion: 1,
      dscp: 8,
      qstringIgnore: 1,
      edgeHeaderRewrite:
        'cond %{REMAP_PSEUDO_HOOK} __RETURN__ set-header X-Edge 1 __RETURN__ cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ rm-header X-Powered-By [L]',
      midHeaderRewrite: 'cond %{SEND_REQUEST_HDR_HOOK} __RETURN__ rm-header Cookie',
      maxOriginConnections: 120,
    },
  ),
  service(
    { xmlId: 'comics', type: 'HTTP', displayName: 'Comics', tenant: 'broadcaster', cachegroups: [dallas] },
    {
      orgServerFqdn: 'http://comics-origin.example.org',
      cacheurl:
        'http://comics-origin.example.org/([^?]+)\\?.*page=(\\d+).*  http://comics-origin.example.org/$1/$2 __RETURN__ http://([^?]+)(?:\\?|$)  http://$1',
      dscp: 8,
    },
  ),
  service(
    {
      xmlId: 'downloads',
      type: 'HTTP',
      displayName: 'Downloads',
      tenant: 'software-vendor',
      cachegroups: [denver, dallas],
    },
    {
      orgServerFqdn: 'http://downloads-origin.example.org',
      dscp: 10,
      qstringIgnore: 2,
      rangeRequestHandling: 1,
      regexRemap: '^/current/(.*)$ http://downloads-origin.example.org/v2/$1',
    },
  ),
  service(
    {
      xmlId: 'maps',
      type: 'HTTP',
      displayName: 'Maps from two origins',
      tenant: 'software-vendor',
      cachegroups: [denver],
    },
    { orgServerFqdn: 'http://maps-origin.example.org', multiSiteOrigin: true, profileName: 'DS_MULTI_SITE_CLASSIC' },
  ),
  service(
    { xmlId: 'weather', type: 'DNS', displayName: 'Weather', tenant: 'broadcaster', cachegroups: [denver, dallas] },
    { orgServerFqdn: 'http://weather-origin.example.org', routingName: 'www', dscp: 18, rangeRequestHandling: 2 },
  ),
  service(
    {
      xmlId: 'stadium',
      type: 'HTTP_LIVE_NATNL',
      displayName: 'From the stadium',
      tenant: 'broadcaster',
      cachegroups: [denver],
    },
    { orgServerFqdn: 'http://stadium-origin.example.org', dscp: 34 },
  ),
  service(
    { xmlId: 'forum', type: 'HTTP_NO_CACHE', displayName: 'Forum', tenant: 'broadcaster', cachegroups: [denver] },
    { orgServerFqdn: 'http://forum-origin.example.org:9000', dscp: 18 },
  ),
  service(
    { xmlId: 'members', type: 'HTTP', displayName: 'Members only', tenant: 'broadcaster', cachegroups: [denver] },
    { orgServerFqdn: 'http://members-origin.example.org', signingAlgorithm: 'url_sig', dscp: 8 },
  ),
]
