import { expect } from 'chai'
import { join } from '../compiler/core/fileBody.js'
import { FragmentCache } from '../compiler/core/keptFragments.js'
import type { AppliedChange } from '../compiler/data/workingSet.js'
import type { Pool } from '../workers/pool.js'
import { createPool } from '../workers/pool.js'
import type { Outcome } from '../workers/results.js'
import { SharedLog } from '../workers/sharedLog.js'
import type { Result } from './goldenCases.js'
import { broken, changesOf, codesOf, dataOf, directly, expected, goldenCases, jobOf, templates } from './goldenCases.js'
import { serviceUrl } from './serviceUrl.js'
import { vaultKey } from './smallCdn.js'

/**
 * Each case runs on data that other cases changed and changed back, first directly with kept parts, then in a
 * thread; and once more on data freshly loaded in another order. All three give the expected bytes.
 */
describe('golden files', () => {
  const cases = goldenCases()
  const live = dataOf({ file: '', name: '', path: '', about: {} })
  const fragments = new FragmentCache()
  const log = new SharedLog(live, templates)
  let pool: Pool

  before(() => {
    pool = createPool({ workers: 1, log, vaultKey, serviceUrl, partBytes: 2 ** 24 })
  })
  after(() => pool.close())

  const commit = (changes: readonly AppliedChange[]) => {
    const entry = { revision: live.revision + 1, changes }
    live.apply(entry)
    log.append(entry)
  }

  it('have templates that all compile', () => {
    expect(broken).to.deep.equal([])
  })

  for (const one of cases) {
    it(`${one.file}, ${one.about.description ?? one.name}`, async () => {
      const changes = changesOf(one.about)
      const back = changes.map(({ kind, id }) => ({ kind, id, after: live.get(kind, id) ?? null })).reverse()
      commit(changes)
      try {
        const job = jobOf(one, live)
        const want = expected(one)
        expect(directly(job, live, { fragments })).to.deep.equal(want)
        expect(resultOf((await pool.run([job]))[0]!)).to.deep.equal(want)
        const fresh = dataOf(one, 20_011)
        expect(directly(jobOf(one, fresh), fresh)).to.deep.equal(want)
      } finally {
        commit(back)
      }
    })
  }
})

function resultOf(outcome: Outcome): Result {
  if (outcome.state === 'missing') return { missing: outcome.text }
  if (outcome.state === 'failed') throw new Error(outcome.fault.reason)
  const text = Buffer.from(join(outcome.body)).toString()
  return { text, warnings: codesOf(outcome.warnings) }
}
