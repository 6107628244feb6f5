import type { CompileBasis } from '../../../compiler/core/compile.js'
import type { Source } from '../../../compiler/core/readSet.js'
import { recorder } from '../../../compiler/core/readSet.js'
import { union } from '../../../compiler/data/dependencyKeys.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Catalogue } from '../../journal/kinds.js'
import type { Asked, KeptEndpoint, ReadEndpoint } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import type { Reply } from '../answerBody.js'
import { replyOf } from '../answerBody.js'
import { bytesOf } from '../answerBytes.js'
import type { KeptAnswer } from './kept.js'
import { ofArtifact, ofBody } from './keptOf.js'
import type { Answers } from './responseCache.js'

/** A GET whose answer can be kept. */
export interface Keeping {
  readonly endpoint: ReadEndpoint | KeptEndpoint
  /** The caller in it is the one that `key` names. */
  readonly asked: Asked
  readonly key: string
  /** What is read to permit it; throws when it is not permitted any more. */
  readonly permit: () => Uint32Array
}

export type Keeper = (keeping: Keeping) => Promise<KeptAnswer | Reply>

/** Makes the answers of GETs and keeps them, each with everything that it, and the right to it, rests on. */
export function createKeeper(given: {
  answers: Answers
  workingSet: WorkingSet
  catalogue: Pick<Catalogue, 'keyOf'>
  compileBasis: () => CompileBasis
}): Keeper {
  const { answers, workingSet, catalogue, compileBasis } = given

  return async ({ endpoint, asked, key, permit }) => {
    if ('read' in endpoint) {
      const found = await read(endpoint, asked)
      return 'status' in found ? found : keep(key, found, permit())
    }
    const made = await endpoint.keeps(asked)
    if (made.compiled) return keep(key, ofArtifact(made.compiled), permit())
    if (!made.kept || (made.status ?? 200) !== 200) return replyOf(made)
    return keep(key, ofBody(made, made.kept, await bytesOf(made, { etag: made.kept.etag })), permit())
  }

  /**
   * A long list is made in slices, and the data may move in between. It is exact if nothing that was read has moved
   * when it is made; if something has, it is made anew of the data as it is then, whatever is written meanwhile.
   */
  async function read(endpoint: ReadEndpoint, asked: Asked): Promise<KeptAnswer | Reply> {
    const { found, moved } = await readFrom(workingSet, endpoint, asked)
    if (!moved()) return found
    const past = workingSet.past()
    try {
      return (await readFrom(past, endpoint, asked)).found
    } finally {
      past.release()
    }
  }

  /** An answer of data that may or may not move while it is made, and whether what was read has. */
  async function readFrom(
    source: Source,
    endpoint: ReadEndpoint,
    asked: Asked,
  ): Promise<{ found: KeptAnswer | Reply; moved: () => boolean }> {
    const { memos, ...tools } = compileBasis()
    const how = endpoint.reads === 'model' ? { grain: 'seen' as const, memos, tools } : { grain: 'full' as const }
    const { data, cells } = recorder<Data>(source, how)
    const readAt = source.revision
    const answer = endpoint.read(asked, Object.assign(data, { keyOf: catalogue.keyOf }))
    if ((answer.status ?? 200) !== 200) return { found: replyOf(answer), moved: () => false }
    const body = await bytesOf(answer)
    const noted = cells()
    return { found: ofBody(answer, { cells: noted, readAt }, body), moved: () => !source.unmoved(noted, readAt) }
  }

  /** What permits it was read after the answer's own data: if that moves, or has moved since, the answer is stale. */
  function keep(key: string, answer: KeptAnswer, permitting: Uint32Array): KeptAnswer {
    const cells = permitting.length === 0 ? answer.cells : union(permitting, answer.cells)
    const kept: KeptAnswer = { ...answer, cells }
    answers.set(key, kept)
    return kept
  }
}
