import type { CrConfigStats, RoutingStats } from '../../../compiler/snapshots/snapshotStats.js'
import { withStats } from '../../../compiler/snapshots/snapshotStats.js'
import { productVersion } from '../../config/packageRoot.js'
import { serviceUrl } from '../../config/serviceUrl.js'
import type { Settings } from '../../config/settings.js'
import type { Data } from '../../schema/data.js'
import { globalValues } from '../../schema/globals.js'
import { system } from '../../schema/privileges.js'
import type { Version } from './frozenVersions.js'

/** What a document says of where it came from. Nothing of it depends on who asks, so that all get the same bytes. */
export interface Origin {
  /**
   * Host (and port) under which routers and monitors find this service: that of the global parameter `tm.url`, else
   * that of `PUBLIC_URL`, else the one it was asked by, else the address it listens on.
   */
  readonly host: string
  /** Whether somebody has said it, by `tm.url` or `PUBLIC_URL`. */
  readonly isKnown: boolean
  /** `<tm.toolname>-<version>` */
  readonly tool: string
}

/** @param asked the host (and port) that whoever freezes a document asked; live documents are the same for all */
export function originOf(data: Data, settings: Settings, asked: string | null = null): Origin {
  const values = globalValues(data, system)
  const url = values['tm.url'] ?? ''
  const known = URL.canParse(url) ? new URL(url).host : ''
  const tool = `${values['tm.toolname'] || 'Edgewright'}-${productVersion}`
  const own = new URL(serviceUrl(settings)).host
  const host = known || (settings.publicOrigin === null ? hostIn(asked) : '') || own
  return { host, isKnown: known !== '' || settings.publicOrigin !== null, tool }
}

/** What a client asked by, if that can be a host. */
function hostIn(asked: string | null): string {
  const isHost = asked !== null && /^[\w.:[\]-]+$/.test(asked) && URL.canParse(`http://${asked}`)
  return isHost ? new URL(`http://${asked}`).host : ''
}

/** `stats` of a document that nobody has frozen: its date is that of the data, not of the request. */
export function liveStats(name: string, date: number, { host, tool }: Origin): CrConfigStats {
  return { CDN_name: name, date, tm_version: tool, tm_path: freezePath(name), tm_host: host, tm_user: system.username }
}

export function routingStats(cdnName: string, path: string, date: number, { host, tool }: Origin): RoutingStats {
  return {
    cdnName,
    date,
    trafficOpsVersion: tool,
    trafficOpsPath: path,
    trafficOpsHost: host,
    trafficOpsUser: system.username,
  }
}

/** `stats` of a frozen document. Activated again, all of it stays but the date. */
export function frozenStats({ cdnName, host, tool, frozenBy }: Version, date: number): CrConfigStats {
  return {
    CDN_name: cdnName,
    date,
    tm_version: tool,
    tm_path: freezePath(cdnName),
    tm_host: host,
    tm_user: frozenBy,
  }
}

const freezePath = (cdnName: string) => `/tools/write_crconfig/${cdnName}`

/** A document of many megabytes as its `stats` and the rest, without making a text of it. */
export const stamped = (document: Uint8Array, stats: CrConfigStats | RoutingStats) => ({
  stats: Buffer.from(withStats('{', stats)),
  document: document.subarray(1),
})

/**
 * When what the CDN owns last changed, in seconds since 1970: the CDN, its servers and services, and the routers'
 * parameters. Taken from the records, so that equal data gives an equal date on every instance, after every restart.
 */
export function newestChange(data: Data, cdnId: number): number {
  const records = [
    data.get('cdns', cdnId),
    ...data.by('servers', 'cdnId', cdnId),
    ...data.by('deliveryServices', 'cdnId', cdnId),
    ...data.by('parameters', 'configFile', 'CRConfig.json'),
  ]
  const newest = records.reduce(
    (newest, record) => (record && record.lastUpdated > newest ? record.lastUpdated : newest),
    '',
  )
  return newest === '' ? 0 : Math.floor(Date.parse(newest) / 1000)
}
