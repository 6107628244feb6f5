import type { CompileBasis } from '../../../compiler/core/compile.js'
import type { Source } from '../../../compiler/core/readSet.js'
import { recorder } from '../../../compiler/core/readSet.js'
import { union } from '../../../compiler/data/dependencyKeys.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { CachedEndpoint, ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import type { HttpResponse } from '../answerBody.js'
import { responseOf } from '../answerBody.js'
import { bytesOf } from '../answerBytes.js'
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
  const { answers, workingSet, catalogue, compileBasis } = given

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

  /**
   * A long list is made in slices, and the data may move in between. It is exact if nothing that was read has moved
   * when it is made; if something has, it is made anew of the data as it is then, whatever is written meanwhile.
   */
  async function read(endpoint: ReadEndpoint, input: RequestInput): Promise<CachedResponse | HttpResponse> {
    const { found, moved } = await readFrom(workingSet, endpoint, input)
    if (!moved()) return found
    const past = workingSet.past()
    try {
      return (await readFrom(past, endpoint, input)).found
    } finally {
      past.release()
    }
  }

  /** An answer of data that may or may not move while it is made, and whether what was read has. */
  async function readFrom(
    source: Source,
    endpoint: ReadEndpoint,
    input: RequestInput,
  ): Promise<{ found: CachedResponse | HttpResponse; moved: () => boolean }> {
    const { memos, ...tools } = compileBasis()
    const how = endpoint.reads === 'model' ? { grain: 'seen' as const, memos, tools } : { grain: 'full' as const }
    const { data, cells } = recorder<Data>(source, how)
    const readAt = source.revision
    const answer = endpoint.read(input, Object.assign(data, { keyOf: catalogue.keyOf }))
    if ((answer.status ?? 200) !== 200) return { found: responseOf(answer), moved: () => false }
    const body = await bytesOf(answer)
    const noted = cells()
    return { found: ofBody(answer, { cells: noted, readAt }, body), moved: () => !source.unmoved(noted, readAt) }
  }

  /** What permits it was read after the answer's own data: if that moves, or has moved since, the answer is stale. */
  function keep(key: string, answer: CachedResponse, permitting: Uint32Array): CachedResponse {
    const cells = permitting.length === 0 ? answer.cells : union(permitting, answer.cells)
    const kept: CachedResponse = { ...answer, cells }
    answers.set(key, kept)
    return kept
  }
}
