import { sha256 } from '../../../compiler/core/fileBody.js'
import { union } from '../../../compiler/data/dependencyKeys.js'
import type { Fault } from '../../../compiler/snapshots/faults.js'
import type { Alert } from '../../config/errors.js'
import { jsonType } from '../../flow/jsonText.js'
import { inSlices } from '../../flow/slices.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { CacheableResult, RequestInput } from '../endpoint.js'
import type { Parts } from '../parts.js'
import type { Compiled } from './compiled.js'
import { compiled, faultsIn } from './compiled.js'
import { cdnNamed } from './find.js'
import type { Version } from './frozenVersions.js'
import { joined } from './largeBytes.js'
import type { DocumentName } from './packs.js'
import { frozenStats, liveStats, newestChange, originOf, routingStats, stamped } from './stamp.js'

type Uses = Pick<Parts, 'data' | 'artifacts' | 'reading' | 'settings' | 'versions'>

/** What is put around and in front of a document. */
interface Shape {
  /** In `response`, with alerts; otherwise the document is the whole body. */
  readonly envelope: boolean
}

/**
 * A live document: what it would be if it were frozen now. It is answered even when it must not be frozen, with
 * the faults as warnings, and kept until something that it, the faults or its `stats` are made of changes.
 */
export async function liveAnswer(
  name: 'monitoring' | 'routing' | 'CRConfig',
  input: RequestInput,
  services: Uses,
  shape: Shape = { envelope: true },
): Promise<CacheableResult> {
  const { params, version } = input
  const { id } = cdnNamed(services.data, params.name)
  const [document, faults] = await Promise.all([compiled(name, id, services), compiled('faults', id, services)])
  // Nothing waits until all is read: it is of one moment, or not kept for longer than the next look.
  const isNow = services.artifacts.isFresh(faults.artifact)
  const { data, dependencies, readAt } = services.reading()
  const cdn = cdnNamed(data, params.name)
  // Another CDN may have got the name while the first one's document was waited for.
  if (cdn.id !== id) return liveAnswer(name, input, services, shape)
  const bytes = withLiveStats(name, document, `/api/${version}/cdns/${cdn.name}/configs/routing`, cdn, data, services)
  const alerts = faultsIn(faults.bytes).map(asWarning)
  const { head, body } = await shaped(bytes, shape, alerts)
  return {
    raw: { body, contentType: jsonType },
    kept: {
      dependencies: union(dependencies(), faults.artifact.readSet),
      readAt: isNow ? readAt : Math.min(readAt, faults.artifact.revision),
      artifact: document.artifact,
      etag: tagOf(head, document.artifact.etag),
    },
  }
}

function withLiveStats(
  name: string,
  { bytes }: Compiled,
  path: string,
  cdn: Records['cdns'],
  data: Data,
  { settings }: Pick<Uses, 'settings'>,
): { stats: Uint8Array; document: Uint8Array } {
  if (name === 'monitoring') return { stats: nothing, document: bytes }
  const origin = originOf(data, settings)
  const date = newestChange(data, cdn.id)
  return stamped(
    bytes,
    name === 'routing' ? routingStats(cdn.name, path, date, origin) : liveStats(cdn.name, date, origin),
  )
}

const nothing = new Uint8Array(0)

export const asWarning = ({ code, text }: Fault): Alert => ({ level: 'warning', text: `${code}: ${text}` })

/** A frozen document, as it was when its version was made but for the date. Kept until `dependencies` move. */
export async function frozenAnswer(
  { version, name, date }: { version: Version; name: DocumentName; date: number },
  found: { dependencies: Uint32Array; readAt: number },
  services: Pick<Uses, 'versions'>,
  shape: Shape = { envelope: true },
): Promise<CacheableResult> {
  const document = await services.versions.document(version, name)
  const bytes = name === 'CRConfig' ? stamped(document, frozenStats(version, date)) : { stats: nothing, document }
  const { head, body } = await shaped(bytes, shape, [])
  const hash = name === 'CRConfig' ? version.crConfigHash : version.monitoringHash
  return { raw: { body, contentType: jsonType }, kept: { ...found, etag: tagOf(head, hash) } }
}

async function shaped(
  { stats, document }: { stats: Uint8Array; document: Uint8Array },
  { envelope }: Shape,
  alerts: readonly Alert[],
): Promise<{ head: Uint8Array; body: Uint8Array }> {
  const told = alerts.length > 0 ? `"alerts":${JSON.stringify(alerts)},` : ''
  const head = Buffer.concat([Buffer.from(envelope ? `{${told}"response":` : ''), stats])
  return { head, body: await inSlices(joined([head, document, Buffer.from(envelope ? '}' : '')])) }
}

/** All that precedes a document, and the document's own hash, name the bytes as well as the hash of all of them. */
const tagOf = (head: Uint8Array, hash: string): string => sha256(head, Buffer.from(hash)).slice(0, 27)
