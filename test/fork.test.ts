import { expect } from 'chai'
import fc from 'fast-check'
import { indexCell, kindCell, recordCell } from '../compiler/cells.js'
import type { Fork } from '../compiler/fork.js'
import { type AnyRecord, type Schema, WorkingSet } from '../compiler/workingSet.js'

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
const cells = [
  ...(['seen', 'full', 'members'] as const).map((what) => kindCell('items', what)),
  ...grains.flatMap((grain) => ids.map((id) => recordCell('items', id, grain))),
  ...['group', 'tags'].flatMap((index) =>
    (['seen', 'full', 'members', 'some'] as const).flatMap((what) =>
      ids.map((key) => indexCell('items', index, String(key), what)),
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

/** What moved by applying moved by way of a fork as well; that may say it of a little more. */
function expectMoved(forked: WorkingSet, plain: WorkingSet, revision: number): void {
  for (const cell of cells) {
    for (const since of [revision - 1, revision - 2]) {
      const one = Uint32Array.of(cell)
      if (!plain.unmoved(one, since)) expect(forked.unmoved(one, since)).to.equal(false)
    }
    expect(forked.unmoved(Uint32Array.of(cell), revision)).to.equal(true)
  }
}
