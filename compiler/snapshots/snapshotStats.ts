/**
 * Who asked, when and for what: the only part of a document that is not made from the data. A compiled document
 * has none; `withStats` puts it in front when the document is frozen or answered.
 */
export function withStats(document: string, stats: CrConfigStats | RoutingStats): string {
  if (!document.startsWith('{')) throw new Error('the document is not a JSON object')
  return `{\n"stats": ${JSON.stringify(stats)},${document.slice(1)}`
}

/** `stats` of the routers' document. A router takes it only with a later `date` than the one before. */
export interface CrConfigStats {
  readonly CDN_name: string
  /** Seconds since 1970. */
  readonly date: number
  readonly tm_version: string
  /** `/tools/write_crconfig/<cdn>` */
  readonly tm_path: string
  /** Where routers find this service. */
  readonly tm_host: string
  readonly tm_user: string
}

/** `stats` of the live routing configuration. */
export interface RoutingStats {
  readonly cdnName: string
  /** Seconds since 1970. */
  readonly date: number
  readonly trafficOpsVersion: string
  readonly trafficOpsPath: string
  readonly trafficOpsHost: string
  readonly trafficOpsUser: string
}
