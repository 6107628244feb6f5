import type { CompileBasis } from '../../../compiler/core/compile.js'
import { union } from '../../../compiler/data/dependencyKeys.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { CachedEndpoint, ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import type { HttpResponse } from '../answerBody.js'
import { responseOf } from '../answerBody.js'
import { bytesOf } from '../answerBytes.js'
import { createExactReader } from './exactRead.js'
import type { CachedResponse } from './kept.js'
import { ofArtifact, ofBody } from './keptOf.js'
import type { ResponseCache } from './responseCache.js'

/** A GET whose answer can be kept. */
export interface Keeping {
  readonly endpoint: ReadEndpoint | CachedEndpoint
  /** The caller in it is the one that `key` names. */
  readonly asked: RequestInput
  readonly key: string
  /** What is read to permit it; throws when it is not permitted any more. */
  readonly permit: () => Uint32Array
}

export type Keeper = (keeping: Keeping) => Promise<CachedResponse | HttpResponse>

/** Makes the answers of GETs and keeps them, each with everything that it, and the right to it, rests on. */
export function createKeeper(given: {
  answers: ResponseCache
  workingSet: WorkingSet
  catalogue: Pick<RecordKinds, 'keyOf'>
  compileBasis: () => CompileBasis
}): Keeper {
  const { answers } = given
  const read = createExactReader(given)

  return async ({ endpoint, asked: input, key, permit }) => {
    if ('read' in endpoint) {
      const found = await read(endpoint, input)
      return 'status' in found ? found : keep(key, found, permit())
    }
    const made = await endpoint.keeps(input)
    if (made.compiled) return keep(key, ofArtifact(made.compiled), permit())
    if (!made.kept || (made.status ?? 200) !== 200) return responseOf(made)
    return keep(key, ofBody(made, made.kept, await bytesOf(made, { etag: made.kept.etag })), permit())
  }

  /** What permits it was read after the answer's own data: if that moves, or has moved since, the answer is stale. */
  function keep(key: string, answer: CachedResponse, permitting: Uint32Array): CachedResponse {
    const dependencies = permitting.length === 0 ? answer.dependencies : union(permitting, answer.dependencies)
    const kept: CachedResponse = { ...answer, dependencies }
    answers.set(key, kept)
    return kept
  }
}
