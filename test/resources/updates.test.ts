import { expect } from 'chai'
import { createPlan, type Plan, plainData } from '../../api/plan.js'
import { createCatalogue } from '../../api/resource/catalogue.js'
import { resources } from '../../api/resources/index.js'
import { system } from '../../api/roles.js'
import { acknowledge, dequeue, isPending, isRevalPending, noteRead, queue, reportFailure } from '../../api/updates.js'
import { WorkingSet } from '../../compiler/workingSet.js'

const catalogue = createCatalogue(resources)
const cache = 1

/** A working set in which every step is one revision, as in the journal. */
function world() {
  const workingSet = new WorkingSet(catalogue.schema)
  const data = plainData(workingSet, catalogue)
  return {
    data,
    revision: () => workingSet.revision,
    step: (decide: (plan: Plan) => void) => {
      const trial = workingSet.trial()
      const revision = workingSet.revision + 1
      const time = '2026-01-01T00:00:00.000Z'
      const plan = createPlan({ workingSet, trial, catalogue, user: system, time, revision })
      decide(plan)
      const { changes } = plan
      trial.rollback()
      workingSet.apply({ revision, changes })
    },
  }
}

type World = ReturnType<typeof world>

describe('queued updates', () => {
  it('are pending from queueing until what was queued is applied', () => {
    const { step, data, revision } = world()
    expect(isPending(data, cache)).to.equal(false)
    step((plan) => queue(plan, [cache]))
    expect([isPending(data, cache), isRevalPending(data, cache)]).to.deep.equal([true, false])
    const fetched = revision()
    step((plan) => acknowledge(plan, cache, { applied: ['config'], revision: fetched }))
    expect(isPending(data, cache)).to.equal(false)
  })

  it('stay pending when what was applied is older, or only claimed', () => {
    const { step, data, revision } = world()
    const before = revision()
    step((plan) => queue(plan, [cache]))
    step((plan) => acknowledge(plan, cache, { applied: ['config'], revision: before }))
    expect(isPending(data, cache)).to.equal(true)
    step((plan) => acknowledge(plan, cache, { applied: ['config'] }))
    expect(isPending(data, cache)).to.equal(true)
    step((plan) => acknowledge(plan, cache, { applied: ['config'], revision: 1_000_000 }))
    step((plan) => queue(plan, [cache]))
    expect(isPending(data, cache)).to.equal(true)
  })

  it('are told apart from invalidation rules', () => {
    const { step, data, revision } = world()
    step((plan) => queue(plan, [cache], 'revalidation'))
    step((plan) => queue(plan, [cache]))
    step((plan) => acknowledge(plan, cache, { applied: ['revalidation'], revision: revision() }))
    expect([isPending(data, cache), isRevalPending(data, cache)]).to.deep.equal([true, false])
    step((plan) => dequeue(plan, [cache]))
    expect(isPending(data, cache)).to.equal(false)
  })

  it('stay pending after a failure, which is told', () => {
    const { step, data } = world()
    step((plan) => queue(plan, [cache]))
    step((plan) => reportFailure(plan, cache, 'remap.config does not load'))
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

  describe('with two operators and one cache, in every order they can come', () => {
    for (const tells of [true, false]) {
      it(`lose no update of a cache that ${tells ? 'tells' : 'does not tell'} what it fetched`, () => {
        const runs = interleavings([operator(0), operator(1), cacheRun(tells)])
        expect(runs.length).to.be.greaterThan(1000)
        for (const run of runs) expect(lost(run), run.map(({ name }) => name).join(' ')).to.equal(false)
      })
    }
  })
})

interface Seen {
  /** Revision of each operator's edit, and whether it was queued. */
  readonly edits: { revision: number; queued: boolean }[]
  /** The data the cache has fetched, and the data it said it applied. */
  fetched: number
  applied: number
}

interface Step {
  readonly name: string
  readonly act: (world: World, seen: Seen) => void
}

const nothing = () => undefined

function operator(which: number): Step[] {
  return [
    {
      name: `edit${which}`,
      act: ({ step, revision }, seen) => {
        step(nothing)
        seen.edits[which] = { revision: revision(), queued: false }
      },
    },
    {
      name: `queue${which}`,
      act: ({ step }, seen) => {
        step((plan) => queue(plan, [cache]))
        seen.edits[which]!.queued = true
      },
    },
  ]
}

/** Twice: ask for the update status, fetch the files, say that they are applied. */
function cacheRun(tells: boolean): Step[] {
  let asked = 0
  const once: Step[] = [
    {
      name: 'ask',
      act: ({ step, revision }) => {
        asked = revision()
        step((plan) => noteRead(plan, cache, asked))
      },
    },
    {
      name: 'fetch',
      act: ({ revision }, seen) => {
        seen.fetched = revision()
      },
    },
    {
      name: 'acknowledge',
      act: ({ step }, seen) => {
        const fetched = seen.fetched
        step((plan) => acknowledge(plan, cache, { applied: ['config'], revision: tells ? fetched : undefined }))
        seen.applied = fetched
      },
    },
  ]
  return [...once, ...once]
}

/** Whether something is queued that the cache neither has nor knows it has to fetch. */
function lost(run: readonly Step[]): boolean {
  const state = world()
  const seen: Seen = { edits: [], fetched: 0, applied: 0 }
  for (const { act } of run) act(state, seen)
  const missing = seen.edits.some(({ revision, queued }) => queued && revision > seen.applied)
  return missing && !isPending(state.data, cache)
}

function interleavings(sequences: readonly (readonly Step[])[]): Step[][] {
  if (sequences.every(({ length }) => length === 0)) return [[]]
  return sequences.flatMap((sequence, at) => {
    const [first, ...rest] = sequence
    if (!first) return []
    const others = sequences.map((one, index) => (index === at ? rest : one))
    return interleavings(others).map((run) => [first, ...run])
  })
}
