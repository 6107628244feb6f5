import {
  cacheStatsPath,
  readCacheStats,
  readServiceLoads,
  readServiceStats,
  readStates,
  serviceLoadsPath,
  serviceStatsPath,
  statesPath,
} from './monitorDocuments.js'
import { readRouterStats, routerStatsPath } from './routerDocument.js'

/** The documents of monitors and routers: where each is, and how it is read. */
export const documents = {
  CrStates: { path: statesPath, read: readStates },
  CacheStats: { path: cacheStatsPath, read: readCacheStats },
  DsStats: { path: serviceStatsPath, read: readServiceStats },
  'DsStats loads': { path: serviceLoadsPath, read: readServiceLoads },
  'crs/stats': { path: routerStatsPath, read: readRouterStats },
} as const

export type DocumentName = keyof typeof documents
export type DocumentOf<N extends DocumentName> = ReturnType<(typeof documents)[N]['read']>
