import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Failed } from '../flow/failed.js'
import { createSweeper } from '../journal/sweeper.js'
import { Encodings } from '../middleware/cache/encodings.js'
import { KnownUrls } from '../middleware/cache/knownUrls.js'
import { ResponseCache } from '../middleware/cache/responseCache.js'
import type { Compiler } from './createCompiler.js'

/** What is kept of answers, and what lets go of all that is stale. */
export function createCaches({ artifacts, budget, fragments }: Compiler, workingSet: WorkingSet, failed: Failed) {
  const encodings = new Encodings(budget)
  const answers = new ResponseCache({ workingSet, artifacts, encodings, budget })
  const sweeper = createSweeper({
    workingSet,
    sweeps: () => [artifacts.sweep(), answers.sweep(), encodings.sweep(), fragments.sweep(workingSet)],
    failed,
  })
  return { encodings, answers, urls: new KnownUrls(budget), sweeper }
}
