import { Type } from '@sinclair/typebox'
import { zonedTime } from '../../config/times.js'
import type { Transaction } from '../../journal/transaction.js'
import type { ReadEndpoint, RequestInput, Result, WriteEndpoint } from '../../operations/endpoint.js'
import { activate } from '../../operations/snapshots/activate.js'
import { cdnNamed, isActive, versionNamed } from '../../operations/snapshots/find.js'
import type { Changes } from '../../operations/snapshots/freeze.js'
import type { Version } from '../../operations/snapshots/frozenVersions.js'
import { versionShapes } from '../../operations/snapshots/shapes.js'
import type { Data } from '../../schema/data.js'
import { success } from '../crud/routes.js'

export const listVersions = (): ReadEndpoint => ({
  method: 'GET',
  path: '/cdns/:name/snapshots',
  role: 'any',
  reach: 'cdn',
  response: Type.Array(versionShapes),
  summary: 'The frozen versions of a CDN, newest first: who, when, from which revision, and what changed',
  read: ({ params }, data) => ({
    response: [...data.by('snapshots', 'cdnId', cdnNamed(data, params.name).id)]
      .sort((a, b) => b.version - a.version)
      .map((version) => versionShape(version, data)),
  }),
})

export const activateVersion = (): WriteEndpoint => ({
  method: 'POST',
  path: '/cdns/:name/snapshots/:version/activate',
  role: 'oper',
  reach: 'root',
  response: versionShapes,
  body: 'none',
  summary: 'Give routers and monitors an older version again; only its stats.date is new',
  write: activated,
})

function activated({ params }: RequestInput, transaction: Transaction): Result {
  const cdn = cdnNamed(transaction.data, params.name)
  const version = versionNamed(transaction.data, cdn, params.version)
  const date = activate(transaction, version)
  transaction.log(`Activated snapshot version ${version.version} of cdn ${cdn.name} (stats.date ${date})`)
  return {
    response: versionShape(version, transaction.data),
    alerts: [success(`Snapshot version ${version.version} of ${cdn.name} is active.`)],
  }
}

/** A version as the API shows it. */
export function versionShape(version: Version, data: Data) {
  const active = isActive(data, version)
  const activation = active ? data.get('activeSnapshots', version.cdnId) : undefined
  return {
    version: version.version,
    active,
    activatedBy: activation?.activatedBy ?? null,
    activatedAt: activation ? zonedTime(activation.lastUpdated) : null,
    /** `stats.date` as routers have it now, or had it when the version was made. */
    date: activation?.date ?? version.date,
    revision: version.revision,
    frozenBy: version.frozenBy,
    frozenAt: zonedTime(version.lastUpdated),
    forced: version.forced,
    faults: version.faults,
    documents: {
      CRConfig: { hash: version.crConfigHash, bytes: version.crConfigBytes },
      monitoring: { hash: version.monitoringHash, bytes: version.monitoringBytes },
    },
    changes: JSON.parse(version.changes) as Changes,
  }
}
