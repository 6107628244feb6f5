import type { Settings } from './settings.js'

/**
 * Where this service is found as far as it knows by itself: `PUBLIC_URL`, else the address it listens on; scheme, host
 * and port. Known at start and never changed, so that it may stand in what is compiled. All addresses are none that a
 * client could ask, so `localhost` stands for them.
 */
export function serviceUrl({
  publicOrigin,
  host,
  port,
  tls,
}: Pick<Settings, 'publicOrigin' | 'host' | 'port' | 'tls'>): string {
  if (publicOrigin !== null) return publicOrigin
  const named = ['0.0.0.0', '::', ''].includes(host) ? 'localhost' : host
  return `${tls ? 'https' : 'http'}://${named.includes(':') ? `[${named}]` : named}:${port}`
}
