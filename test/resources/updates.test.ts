import { expect } from 'chai'
import { acknowledge, dequeue, isPending, isRevalPending, queue, reportFailure } from '../../api/operations/updates.js'
import { cache, catalogue, updateWorld } from '../updateWorld.js'

describe('queued updates', () => {
  it('are pending from queueing until what was queued is applied', () => {
    const { step, data, revision } = updateWorld()
    expect(isPending(data, cache)).to.equal(false)
    step((transaction) => queue(transaction, [cache]))
    expect([isPending(data, cache), isRevalPending(data, cache)]).to.deep.equal([true, false])
    const fetched = revision()
    step((transaction) => acknowledge(transaction, cache, { applied: ['config'], revision: fetched }))
    expect(isPending(data, cache)).to.equal(false)
  })

  it('stay pending when what was applied is older, or only claimed', () => {
    const { step, data, revision } = updateWorld()
    const before = revision()
    step((transaction) => queue(transaction, [cache]))
    step((transaction) => acknowledge(transaction, cache, { applied: ['config'], revision: before }))
    expect(isPending(data, cache)).to.equal(true)
    step((transaction) => acknowledge(transaction, cache, { applied: ['config'], revision: 1_000_000 }))
    step((transaction) => queue(transaction, [cache]))
    expect(isPending(data, cache)).to.equal(true)
  })

  it('are told apart from invalidation rules', () => {
    const { step, data, revision } = updateWorld()
    step((transaction) => queue(transaction, [cache], 'revalidation'))
    step((transaction) => queue(transaction, [cache]))
    step((transaction) => acknowledge(transaction, cache, { applied: ['revalidation'], revision: revision() }))
    expect([isPending(data, cache), isRevalPending(data, cache)]).to.deep.equal([true, false])
    step((transaction) => dequeue(transaction, [cache]))
    expect(isPending(data, cache)).to.equal(false)
  })

  it('stay pending after a failure, which is told', () => {
    const { step, data } = updateWorld()
    step((transaction) => queue(transaction, [cache]))
    step((transaction) => reportFailure(transaction, cache, 'remap.config does not load'))
    expect(isPending(data, cache)).to.equal(true)
    expect(data.get('serverUpdates', cache)).to.include({
      lastResult: 'failed',
      lastMessage: 'remap.config does not load',
    })
  })

  it('change nothing that a compile reads', () => {
    const { seen } = catalogue.schema.serverUpdates!
    expect(seen).to.equal(null)
  })
})
