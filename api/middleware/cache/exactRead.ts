import type { CompileBasis } from '../../../compiler/core/compile.js'
import type { Source } from '../../../compiler/core/readSet.js'
import { recorder } from '../../../compiler/core/readSet.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import type { HttpResponse } from '../answerBody.js'
import { responseOf } from '../answerBody.js'
import { bytesOf } from '../answerBytes.js'
import type { CachedResponse } from './kept.js'
import { ofBody } from './keptOf.js'

/** What an endpoint reads, all of it as it was at one moment. */
export type ExactReader = (endpoint: ReadEndpoint, input: RequestInput) => Promise<CachedResponse | HttpResponse>

export function createExactReader(given: {
  workingSet: WorkingSet
  catalogue: Pick<RecordKinds, 'keyOf'>
  compileBasis: () => CompileBasis
}): ExactReader {
  const { workingSet, catalogue, compileBasis } = given

  /**
   * A long list is made in slices, and the data may move in between. It is exact if nothing that was read has moved
   * when it is made; if something has, it is made anew of the data as it is then, whatever is written meanwhile.
   */
  const read: ExactReader = async (endpoint, input) => {
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
    const { fragments, ...tools } = compileBasis()
    const how = endpoint.reads === 'model' ? { grain: 'seen' as const, fragments, tools } : { grain: 'full' as const }
    const { data, dependencies } = recorder<Data>(source, how)
    const readAt = source.revision
    const answer = endpoint.read(input, Object.assign(data, { keyOf: catalogue.keyOf }))
    if ((answer.status ?? 200) !== 200) return { found: responseOf(answer), moved: () => false }
    const body = await bytesOf(answer)
    const noted = dependencies()
    return { found: ofBody(answer, { dependencies: noted, readAt }, body), moved: () => !source.unmoved(noted, readAt) }
  }

  return read
}
