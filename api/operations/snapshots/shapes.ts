import { Type } from '@sinclair/typebox'
import { documentNames } from './packs.js'

/** The documents and versions for the OpenAPI document; what is within an entry is the programs' own affair. */

const entry = Type.Record(Type.String(), Type.Unknown())
const list = Type.Array(entry)
const named = Type.Record(Type.String(), entry)

export const monitoringShape = Type.Object({
  trafficServers: list,
  trafficMonitors: list,
  cacheGroups: list,
  config: entry,
  deliveryServices: list,
  profiles: list,
})

export const routingShape = Type.Object({
  stats: entry,
  config: entry,
  cacheGroups: list,
  trafficServers: list,
  trafficMonitors: list,
  trafficRouters: list,
  deliveryServices: list,
})

export const crConfigShape = Type.Object({
  stats: entry,
  config: entry,
  contentServers: named,
  contentRouters: named,
  monitors: named,
  deliveryServices: named,
  edgeLocations: named,
  trafficRouterLocations: named,
})

const counts = Type.Object({ added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer() })
const sections = Type.Record(Type.String(), counts)
const perDocument = <T extends ReturnType<typeof Type.Object> | typeof sections>(shape: T) =>
  Type.Object(Object.fromEntries(documentNames.map((name) => [name, shape])))

export const versionShapes = Type.Object({
  version: Type.Integer(),
  active: Type.Boolean(),
  activatedBy: Type.Union([Type.String(), Type.Null()]),
  activatedAt: Type.Union([Type.String(), Type.Null()]),
  date: Type.Integer({ description: 'stats.date, in seconds since 1970' }),
  revision: Type.Integer({ description: 'of the data it was made from' }),
  frozenBy: Type.String(),
  frozenAt: Type.String(),
  forced: Type.Boolean(),
  faults: Type.Integer(),
  documents: perDocument(Type.Object({ hash: Type.String(), bytes: Type.Integer() })),
  changes: perDocument(sections),
})

const side = Type.Object({
  version: Type.Union([Type.Integer(), Type.Null()]),
  live: Type.Boolean(),
  revision: Type.Integer(),
})

export const diffShape = Type.Object({
  document: Type.String(),
  from: side,
  to: side,
  sections,
  total: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      section: Type.String(),
      name: Type.String(),
      kind: Type.String(),
      before: Type.Unknown(),
      after: Type.Unknown(),
      fields: list,
      fieldCount: Type.Integer(),
    }),
  ),
})
