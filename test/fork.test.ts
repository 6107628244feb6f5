import { expect } from 'chai'
import fc from 'fast-check'
import { drained } from '../api/flow/slices.js'
import { indexKey, kindKey, recordKey } from '../compiler/data/dependencyKeys.js'
import type { Fork } from '../compiler/data/fork.js'
import type { AnyRecord, Schema } from '../compiler/data/kindSchema.js'
import type { Past } from '../compiler/data/past.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

interface Item extends AnyRecord {
  group: number
  tags: number[]
}

const schema: Schema = {
  items: { seen: ['group'], indexes: { group: (item: Item) => item.group, tags: (item: Item) => item.tags } },
  others: { seen: null, indexes: {} },
}

const small = fc.integer({ min: 1, max: 5 })
const record = fc.record({ group: small, tags: fc.uniqueArray(small, { maxLength: 4 }) })
const change = fc.record({ id: fc.integer({ min: 1, max: 8 }), after: fc.option(record) })
/** An entry is applied in one go or by way of a fork, with so many steps done before others have a turn. */
const entry = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 6 }),
  way: fc.constantFrom('apply', 'fork'),
  steps: fc.integer({ min: 1, max: 9 }),
  tried: fc.array(change, { maxLength: 4 }),
  keeps: fc.boolean(),
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
const toChange = ({ id, after }: Change) => ({ kind: 'items', id, after: after && ({ id, ...after } as Item) })

/** All that a reader can find. */
function contents(data: Pick<WorkingSet | Fork, 'get' | 'ids' | 'allIds'>): object {
  const keys = [1, 2, 3, 4, 5]
  return {
    all: [...data.allIds('items')],
    records: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => data.get('items', id)),
    group: keys.map((key) => [...data.ids('items', 'group', key)]),
    tags: keys.map((key) => [...data.ids('items', 'tags', key)]),
  }
}

const ids = [1, 2, 3, 4, 5, 6, 7, 8]
const grains = ['seen', 'full'] as const
const dependencies = [
  ...(['seen', 'full', 'members'] as const).map((what) => kindKey('items', what)),
  ...grains.flatMap((grain) => ids.map((id) => recordKey('items', id, grain))),
  ...['group', 'tags'].flatMap((index) =>
    (['seen', 'full', 'members', 'some'] as const).flatMap((what) =>
      ids.map((key) => indexKey('items', index, String(key), what)),
    ),
  ),
]

describe('a fork of the working set', () => {
  it('comes to what applying comes to, whatever is tried beside it, and nobody sees it before', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const plain = new WorkingSet(schema)
        const forked = new WorkingSet(schema)
        const held: { fork: Fork; present: object }[] = []
        for (const { changes, way, steps, tried, keeps } of entries) {
          const revision = plain.revision + 1
          const made = { revision, changes: changes.map(toChange) }
          const before = contents(forked)
          plain.apply(made)
          const tryOut = () => {
            const trial = forked.trial()
            for (const { kind, id, after } of tried.map(toChange)) trial.change(kind, id, after)
            trial.rollback()
            expect(contents(forked)).to.deep.equal(before)
          }
          const through = <T>(work: Generator<void, T>): T => {
            for (let at = 1; ; at++) {
              const step = work.next()
              if (step.done) return step.value
              if (at % steps === 0) tryOut()
            }
          }
          if (keeps) held.push({ fork: through(forked.fork(['items', 'others'])), present: before })
          if (way === 'apply') forked.apply(made)
          else {
            const fork = through(forked.fork(['items']))
            for (const { kind, id, after } of made.changes) {
              fork.change(kind, id, after)
              tryOut()
            }
            const moved = through(fork.moved())
            forked.adopt(fork, moved)
            fork.release()
            expectMoved(forked, plain, revision)
            const settling = forked.settle(moved)
            for (let step = settling.next(); !step.done; step = settling.next()) expectMoved(forked, plain, revision)
          }
          expectMoved(forked, plain, revision)
          expect(contents(forked)).to.deep.equal(contents(plain))
          expect(forked.lastIds()).to.deep.equal(plain.lastIds())
          for (const { fork, present } of held) expect(contents(fork)).to.deep.equal(present)
          if (held.length > 2) held.shift()!.fork.release()
        }
        for (const { fork } of held) fork.release()
        expect(contents(forked)).to.deep.equal(contents(plain))
      }),
      { numRuns: 60 },
    )
  })

  it('and a past are the data of one moment, whatever is written and read while they are made and kept', () => {
    const step = fc.record({
      changes: fc.array(change, { maxLength: 4 }),
      way: fc.constantFrom('apply', 'adopt', 'try'),
      asks: fc.boolean(),
      begins: fc.boolean(),
      copied: fc.integer({ min: 0, max: 12 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const set = new WorkingSet(schema)
        const held: { past: Past; making: Generator<void, Fork>; made: Fork | null; present: object; last: object }[] =
          []
        for (const { changes, way, asks, begins, copied } of steps) {
          if (begins) {
            const making = set.fork(['items', 'others'])
            const begun = making.next()
            const made = begun.done ? begun.value : null
            held.push({ past: set.past(), making, made, present: contents(set), last: set.lastIds() })
          }
          write(set, changes.map(toChange), way)
          // What is asked for is often kept, and must not be what is changed.
          if (asks) contents(set)
          for (const one of held) {
            for (let at = 0; at < copied && !one.made; at++) {
              const next = one.making.next()
              if (next.done) one.made = next.value
            }
            expect(contents(one.past)).to.deep.equal(one.present)
            if (!one.made) continue
            expect(contents(one.made)).to.deep.equal(one.present)
            expect({ items: one.made.lastId('items'), others: 0 }).to.deep.equal(one.last)
          }
          if (held.length > 3) end(held.shift()!)
        }
        const before = contents(set)
        held.forEach(end)
        expect(contents(set)).to.deep.equal(before)
        expect(contents(set)).to.deep.equal(rebuilt(set))
      }),
      { numRuns: 300 },
    )
  })

  it('leaves the revision of what was changed and changed back', () => {
    const set = new WorkingSet(schema)
    const item = (group: number): Item => ({ id: 1, group, tags: [] })
    set.apply({ revision: 1, changes: [{ kind: 'items', id: 1, after: item(1) }] })
    for (const between of [item(2), null]) {
      const fork = drained(set.fork(['items']))
      fork.change('items', 1, between)
      fork.change('items', 1, item(1))
      set.adopt(fork, drained(fork.moved()))
      fork.release()
      expect(set.revisionOf('items', 1)).to.equal(1)
    }
    const fork = drained(set.fork(['items']))
    fork.change('items', 1, item(2))
    set.adopt(fork, drained(fork.moved()))
    fork.release()
    expect(set.revisionOf('items', 1)).to.equal(set.revision)
  })

  it('that was overtaken cannot be adopted', () => {
    const set = new WorkingSet(schema)
    const fork = set.fork(['items']).next().value as Fork
    const moved = fork.moved().next().value
    set.apply({ revision: 1, changes: [] })
    expect(() => set.adopt(fork, moved!)).to.throw('not the present one')
  })

  it('cannot change a kind that it did not copy', () => {
    const set = new WorkingSet(schema)
    const fork = set.fork(['items']).next().value as Fork
    expect(() => fork.change('others', 1, { id: 1 })).to.throw('cannot change')
  })
})

function write(set: WorkingSet, changes: ReturnType<typeof toChange>[], way: string): void {
  if (way === 'apply') set.apply({ revision: set.revision + 1, changes })
  else if (way === 'try') {
    const trial = set.trial()
    for (const { kind, id, after } of changes) trial.change(kind, id, after)
    trial.rollback()
  } else {
    const fork = drained(set.fork(['items']))
    for (const { kind, id, after } of changes) fork.change(kind, id, after)
    const moved = drained(fork.moved())
    set.adopt(fork, moved)
    drained(set.settle(moved))
    fork.release()
  }
}

function end({ past, making, made }: { past: Past; making: Generator<void, Fork>; made: Fork | null }): void {
  past.release()
  made?.release()
  making.return(undefined as never)
}

/** What the same records make anew: nothing that is found by an index is left over from before. */
function rebuilt(set: WorkingSet): object {
  const fresh = new WorkingSet(schema)
  const changes = set.allIds('items').map((id) => ({ kind: 'items', id, after: set.get('items', id)! }))
  fresh.apply({ revision: 1, changes })
  return contents(fresh)
}

/** What moved by applying moved by way of a fork as well; that may say it of a little more. */
function expectMoved(forked: WorkingSet, plain: WorkingSet, revision: number): void {
  for (const dependency of dependencies) {
    for (const since of [revision - 1, revision - 2]) {
      const one = Uint32Array.of(dependency)
      if (!plain.unmoved(one, since)) expect(forked.unmoved(one, since)).to.equal(false)
    }
    expect(forked.unmoved(Uint32Array.of(dependency), revision)).to.equal(true)
  }
}
