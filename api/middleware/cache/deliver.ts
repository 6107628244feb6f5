import type { IncomingMessage } from 'node:http'
import type { Artifacts } from '../../../compiler/core/artifacts.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { HttpResponse } from '../answerBody.js'
import type { Encoding } from './acceptEncoding.js'
import { chooseEncoding } from './acceptEncoding.js'
import type { Encodings } from './encodings.js'
import type { CachedResponse } from './kept.js'
import type { Wanted } from './represent.js'
import { represent } from './represent.js'

/** Where bodies and their encodings are. */
export interface Delivering {
  readonly encodings: Encodings
  readonly artifacts: Artifacts
  readonly workingSet: WorkingSet
}

/** A cached response as the client wants it; `null` when the cache had to let its body go between finding and sending. */
export async function delivered(
  kept: CachedResponse,
  { headers }: IncomingMessage,
  { encodings, workingSet, artifacts }: Delivering,
  waits: boolean,
): Promise<HttpResponse | null> {
  const wanted = {
    ifNoneMatch: headers['if-none-match'],
    acceptEncoding: headers['accept-encoding'] as string | undefined,
  }
  const ready = () => represent(kept, wanted, encodings, workingSet.revision)
  const made = ready() ?? ((await prepare(kept, wanted, encodings, artifacts)) ? ready() : null)
  return made && waits ? withRevision(made, kept) : made
}

/** What the answer is known to be valid at: a client that waits on from there misses nothing. */
function withRevision(answer: HttpResponse, { validAt, artifact }: CachedResponse): HttpResponse {
  const revision = Math.min(validAt, artifact?.validAt ?? validAt)
  return { ...answer, headers: { ...answer.headers, 'x-edgewright-revision': revision } }
}

/** Makes the form a client wants. False when the body is gone and has to be compiled again. */
async function prepare(
  kept: CachedResponse,
  wanted: Wanted,
  encodings: Encodings,
  artifacts: Artifacts,
): Promise<boolean> {
  const bytes = kept.bytes ?? (kept.artifact && artifacts.bytes(kept.artifact))
  if (!bytes) return false
  const encoding: Encoding = chooseEncoding(wanted.acceptEncoding, kept.length)
  if (kept.artifact) await encodings.digest(kept.etag, bytes)
  if (encoding !== 'identity' || !kept.bytes) await encodings.make(kept.etag, bytes, encoding)
  return true
}
