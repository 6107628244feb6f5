import type { DeliveryService } from '../../compiler/data/model.js'
import type { Origin } from './origin.js'

/** Where the processes of a chain listen, all on 127.0.0.1. */
export interface ChainPorts {
  readonly edge: number
  readonly edgeTls: number
  readonly firstMid: number
  readonly secondMid: number
  readonly origin: Origin['ports']
}

export const originHost = (xmlId: string) => `${xmlId}.origin.test`

/** What a service is beside the usual; of type HTTP unless said otherwise. */
export type ChainService = Partial<DeliveryService> & { readonly xmlId: string; readonly type?: string }

/** One delivery service per promise, named after it. */
export const chainServices = (ports: ChainPorts): readonly ChainService[] => [
  { xmlId: 'query-kept' },
  { xmlId: 'query-not-in-key', qstringIgnore: 1 },
  { xmlId: 'query-dropped', qstringIgnore: 2 },
  {
    xmlId: 'rewritten',
    edgeHeaderRewrite:
      'cond %{REMAP_PSEUDO_HOOK} __RETURN__ set-header X-From-Edge "to the mid" __RETURN__ ' +
      'cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ set-header X-At-Edge "to the client" [L]',
    midHeaderRewrite:
      'cond %{REMAP_PSEUDO_HOOK} __RETURN__ set-header X-From-Mid "to the origin" __RETURN__ ' +
      'cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ set-header X-At-Mid "to the edge" [L]',
  },
  { xmlId: 'never-kept', type: 'HTTP_NO_CACHE' },
  { xmlId: 'live', type: 'HTTP_LIVE' },
  { xmlId: 'signed', signingAlgorithm: 'url_sig' },
  { xmlId: 'signed-pristine', signingAlgorithm: 'url_sig', profileId: 4 },
  { xmlId: 'tokened', signingAlgorithm: 'uri_signing' },
  { xmlId: 'fetched-whole', rangeRequestHandling: 1 },
  { xmlId: 'range-in-key', rangeRequestHandling: 2 },
  { xmlId: 'sliced', rangeRequestHandling: 3 },
  { xmlId: 'range-and-query', qstringIgnore: 1, rangeRequestHandling: 2 },
  { xmlId: 'slice-and-query', qstringIgnore: 1, rangeRequestHandling: 3 },
  { xmlId: 'moved', regexRemap: `^/old/(.*)$ http://${originHost('moved')}:${ports.origin.plain}/new/$1` },
  { xmlId: 'purged' },
  { xmlId: 'failing-over' },
  { xmlId: 'shielded', originShield: `site2.chain.test:${ports.origin.secondSite}` },
  { xmlId: 'of-many-sites', multiSiteOrigin: true },
  { xmlId: 'modern-tls', protocol: 1, profileId: 6 },
  { xmlId: 'secure', protocol: 2, orgServerFqdn: `https://${originHost('secure')}:${ports.origin.tls}` },
]
