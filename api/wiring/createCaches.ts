import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Failed } from '../flow/failed.js'
import { createSweeper } from '../journal/sweeper.js'
import { Encodings } from '../middleware/cache/encodings.js'
import { KnownUrls } from '../middleware/cache/knownUrls.js'
import { ResponseCache } from '../middleware/cache/responseCache.js'
import type { Compiler } from './createCompiler.js'

/** What is kept of answers, and what lets go of all that is stale. */
export function createCaches({ artifacts, budget, memos }: Compiler, workingSet: WorkingSet, failed: Failed) {
  const forms = new Encodings(budget)
  const answers = new ResponseCache({ workingSet, artifacts, forms, budget })
  const sweeper = createSweeper({
    workingSet,
    sweeps: () => [artifacts.sweep(), answers.sweep(), forms.sweep(), memos.sweep(workingSet)],
    failed,
  })
  return { forms, answers, urls: new KnownUrls(budget), sweeper }
}
