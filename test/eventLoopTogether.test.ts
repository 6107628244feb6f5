import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { Transaction } from '../api/journal/transaction.js'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { watchHeld } from './held.js'

/** The longest, in ms, that writers who come together may hold the event loop. */
const bound = 50
/** The best of so many counts: machines that run tests do other things as well. */
const rounds = 3
const writers = 200

/** Writes that wait together are decided together, and made durable together: as many as fit into a moment. */
describe('the event loop under many writes at once', function () {
  this.timeout(120_000)
  let app: TestServer

  before(async () => {
    app = await buildServer()
  })
  after(() => app.close())

  /** A decision that takes a millisecond, as that of a large record does. */
  const decide = (name: string) => (transaction: Transaction) => {
    for (const end = performance.now() + 1; performance.now() < end; );
    return transaction.create('divisions', { name }).id
  }

  it('is free, and each write has an entry of its own, in order', async () => {
    const { committer, data } = app.service.services
    const figures: number[] = []
    for (let round = 0; round < rounds; round++) {
      const held = watchHeld()
      await delay(20)
      held.reset()
      const names = Array.from({ length: writers }, (_, at) => `together ${round}-${at}`)
      const committed = await Promise.all(
        names.map((name) => committer.write({ user: system, requestId: name }, decide(name))),
      )
      await delay(5)
      figures.push(Math.round(held.longest()))
      const revisions = committed.map(({ revision }) => revision)
      expect(revisions).to.deep.equal(revisions.map((_, at) => revisions[0]! + at))
      expect(committed.map(({ value }) => data.get('divisions', value)?.name)).to.deep.equal(names)
      if (figures.at(-1)! <= bound) return
    }
    expect.fail(`the event loop was held for ${figures.join(', ')} ms`)
  })
})
