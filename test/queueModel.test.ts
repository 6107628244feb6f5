import { expect } from 'chai'
import type { UpdateReads } from '../api/operations/updateReads.js'
import { createUpdateReads } from '../api/operations/updateReads.js'
import { acknowledge, dequeue, isPending, queue, reportFailure } from '../api/operations/updates.js'
import { cache, updateWorld } from './updateWorld.js'

/**
 * Every order in which the steps of two operators and one cache can come, played on the real functions, with what
 * should be true kept beside them: `holds` is the newest edit the cache has applied, `wanted` the newest edit that
 * was queued and not taken back. An update is lost when `wanted` is newer than `holds` and nothing is pending.
 */

interface World extends ReturnType<typeof updateWorld> {
  reads: UpdateReads
  /** Revisions: of the newest edit that an operator wants applied; of the data the cache has fetched and applied. */
  wanted: number
  fetched: number
  holds: number
  /** Whether the cache goes on with its run: it was told of an update, or does not care. */
  goes: boolean
  session: { name: string; begun: number }
}

type Step = readonly [name: string, act: (world: World) => void]

const pending = ({ data }: World): boolean => isPending(data, cache)

const edit = (who: string): Step => [`${who} edits`, (world) => world.step(() => undefined)]
const queueing = (who: string): Step => [
  `${who} queues`,
  (world) => {
    world.wanted = world.revision()
    world.step((transaction) => queue(transaction, [cache]))
    if (!pending(world)) expect.fail('queueing did not make pending')
  },
]
const dequeueing = (who: string): Step => [
  `${who} dequeues`,
  (world) => {
    world.wanted = 0
    world.step((transaction) => dequeue(transaction, [cache]))
    if (pending(world)) expect.fail('dequeueing did not take back')
  },
]

let logins = 0
const login: Step = [
  'login',
  (world) => {
    world.session = { name: `session ${logins++}`, begun: world.revision() }
  },
]
const ask: Step = [
  'ask',
  (world) => {
    const told = { revision: world.revision(), pending: pending(world) }
    world.reads.note(world.session.name, cache, told)
  },
]
/** As the field's agent: without an update it ends its run. */
const look: Step = [
  'look',
  (world) => {
    ask[1](world)
    world.goes = pending(world)
  },
]
const fetch: Step = [
  'fetch',
  (world) => {
    world.fetched = world.revision()
  },
]
const restart: Step = ['restart', (world) => Object.assign(world, { reads: createUpdateReads({ entries: 10 }) })]
const applies = (tells: 'header' | 'nothing'): Step => [
  'applied',
  (world) => {
    if (!world.goes) return
    const revision = tells === 'header' ? world.fetched : world.reads.fetched(world.session, cache)
    world.step((transaction) => acknowledge(transaction, cache, { applied: ['config'], revision }))
    world.reads.reported(world.session.name, cache)
    world.holds = world.fetched
  },
]
const fails: Step = [
  'failed',
  (world) => {
    if (!world.goes) return
    const before = pending(world)
    world.step((transaction) => reportFailure(transaction, cache, 'remap.config does not load'))
    world.reads.reported(world.session.name, cache)
    if (pending(world) !== before) expect.fail('a failure changed what is pending')
  },
]

const fresh = (): World => ({
  ...updateWorld(),
  reads: createUpdateReads({ entries: 10 }),
  wanted: 0,
  fetched: 0,
  holds: 0,
  goes: true,
  session: { name: 'none', begun: 0 },
})

function play(steps: readonly Step[]): void {
  const world = fresh()
  for (const [, act] of steps) {
    act(world)
    if (world.wanted > world.holds && !pending(world)) expect.fail(`an update is lost after: ${said(steps)}`)
  }
  // Left alone, the cache gets there: one more run may have to follow one that knew too little.
  const tells = applies('nothing')
  const runs = pending(world) ? [login, look, fetch, tells] : []
  for (const [, act] of runs) act(world)
  if (pending(world)) expect.fail(`for ever pending after: ${said(steps)}`)
}

const said = (steps: readonly Step[]): string => steps.map(([name]) => name).join(', ')

/** Calls back with every order of the steps that keeps each sequence's own. */
function eachOrder(sequences: readonly (readonly Step[])[], visit: (order: readonly Step[]) => void): number {
  let count = 0
  const at = sequences.map(() => 0)
  const order: Step[] = []
  const descend = (): void => {
    let isEnd = true
    for (const [which, sequence] of sequences.entries()) {
      const step = sequence[at[which]!]
      if (!step) continue
      isEnd = false
      at[which]! += 1
      order.push(step)
      descend()
      order.pop()
      at[which]! -= 1
    }
    if (!isEnd) return
    count += 1
    visit(order)
  }
  descend()
  return count
}

describe('queued updates in every order of two operators and one cache', () => {
  const operators = {
    'both edit and queue': [
      [edit('A'), queueing('A')],
      [edit('B'), queueing('B')],
    ],
    'one takes back': [
      [queueing('A'), dequeueing('A')],
      [edit('B'), queueing('B')],
    ],
  } satisfies Record<string, Step[][]>
  const caches = {
    'says which revision it fetched': [login, ask, fetch, applies('header'), ask, fetch, applies('header')],
    'says nothing of revisions': [login, ask, fetch, applies('nothing'), ask, fetch, applies('nothing')],
    "asks again before it reports, as the field's agent does": [login, look, fetch, ask, applies('nothing')],
    'fails first': [login, look, fetch, fails, login, look, fetch, ask, applies('nothing')],
    'fails and tries again without asking': [login, ask, fetch, fails, fetch, applies('nothing')],
    'breaks off a run': [login, ask, fetch, login, ask, fetch, applies('nothing')],
    'is answered by a service that forgot what it told': [
      login,
      look,
      fetch,
      restart,
      ask,
      restart,
      applies('nothing'),
    ],
    'reports without ever asking': [login, fetch, applies('nothing')],
  } satisfies Record<string, Step[]>

  for (const [how, sequences] of Object.entries(operators)) {
    for (const [what, sequence] of Object.entries(caches)) {
      it(`${how}; the cache ${what}`, () => {
        const orders = eachOrder([...sequences, sequence], play)
        expect(orders).to.be.greaterThan(100)
      })
    }
  }
})
