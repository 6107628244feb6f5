import { expect } from 'chai'
import fc from 'fast-check'
import { defineFragment } from '../compiler/core/fragments.js'
import { FragmentCache } from '../compiler/core/keptFragments.js'
import { unheard } from '../compiler/core/notes.js'
import type { Reader } from '../compiler/core/reader.js'
import { recorder } from '../compiler/core/readSet.js'
import type { AnyRecord, Schema } from '../compiler/data/kindSchema.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

interface Item extends AnyRecord {
  group: number
  tags: number[]
  note: string
}

const schema: Schema = {
  items: {
    seen: ['group', 'tags'],
    indexes: { group: (item: Item) => item.group, tags: (item: Item) => item.tags },
  },
}

interface Asker {
  get(kind: string, id: number): Item | undefined
  by(kind: string, index: string, key: number): readonly Item[]
  ids(kind: string, index: string, key: number): readonly number[]
  has(kind: string, index: string, key: number): boolean
  all(kind: string): readonly Item[]
}

const small = fc.integer({ min: 1, max: 4 })
const change = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  after: fc.option(
    fc.record({ group: small, tags: fc.uniqueArray(small, { maxLength: 3 }), note: fc.constantFrom('a', 'b') }),
  ),
})
const changes = fc.array(change, { maxLength: 4 })
const question = fc.record({
  ask: fc.constantFrom('get', 'by', 'ids', 'has', 'all', 'memo'),
  index: fc.constantFrom('group', 'tags'),
  key: small,
})

type Change = { id: number; after: Omit<Item, 'id'> | null }
const toChange = ({ id, after }: Change) => ({ kind: 'items', id, after: after && { id, ...after } })

function answer(data: Asker, { ask, index, key }: { ask: string; index: string; key: number }): unknown {
  const seen = (item: Item | undefined) => item && { id: item.id, group: item.group, tags: item.tags }
  if (ask === 'get') return seen(data.get('items', key))
  if (ask === 'by') return data.by('items', index, key).map(seen)
  if (ask === 'ids') return [...data.ids('items', index, key)]
  if (ask === 'has') return data.has('items', index, key)
  if (ask === 'all') return data.all('items').map(seen)
  return both({ data: data as unknown as Reader, warn: unheard }, index, key)
}

const both = defineFragment('test.both', ({ data }, index: string, key: number): unknown[] =>
  ['by', 'get'].map((ask) => answer(data as unknown as Asker, { ask, index, key })),
)

/** As whoever keeps things does now and then: what is stale goes, and then what moved. */
function forget(set: WorkingSet, fragments: FragmentCache): void {
  for (const _ of fragments.sweep(set));
  for (const _ of set.forget(set.revision));
}

describe('the working set', () => {
  it('finds by every index what a scan finds, after any changes', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (entries) => {
        const set = new WorkingSet(schema)
        const plain = new Map<number, Item>()
        for (const [at, entry] of entries.entries()) {
          set.apply({ revision: at + 1, changes: entry.map(toChange) })
          for (const { id, after } of entry.map(toChange)) {
            if (after) plain.set(id, after as Item)
            else plain.delete(id)
          }
        }
        const sorted = [...plain.values()].sort((a, b) => a.id - b.id)
        expect([...set.allIds('items')]).to.deep.equal(sorted.map(({ id }) => id))
        for (const key of [1, 2, 3, 4]) {
          const inGroup = sorted.filter(({ group }) => group === key).map(({ id }) => id)
          expect([...set.ids('items', 'group', key)]).to.deep.equal(inGroup)
          const tagged = sorted.filter(({ tags }) => tags.includes(key)).map(({ id }) => id)
          expect([...set.ids('items', 'tags', key)]).to.deep.equal(tagged)
        }
      }),
    )
  })

  it('gives the same answers after a trial was rolled back', () => {
    fc.assert(
      fc.property(changes, changes, changes, (first, tried, next) => {
        const set = new WorkingSet(schema)
        set.apply({ revision: 1, changes: first.map(toChange) })
        const before = picture(set)
        const trial = set.trial()
        for (const { kind, id, after } of tried.map(toChange)) trial.change(kind, id, after)
        const id = trial.takeId('items')
        expect(id).to.be.greaterThan(set.lastIds().items! - 1)
        trial.rollback()
        expect(picture(set)).to.deep.equal(before)
        set.apply({ revision: 2, changes: next.map(toChange) })
      }),
    )
  })

  it('calls an answer unmoved only when asking again gives the same, and a moved one is asked again', () => {
    fc.assert(
      fc.property(
        changes,
        fc.array(fc.record({ entry: changes, forgets: fc.boolean() }), { maxLength: 6 }),
        fc.array(question, { maxLength: 4 }),
        (first, later, input) => {
          const set = new WorkingSet(schema)
          const fragments = new FragmentCache()
          set.apply({ revision: 1, changes: first.map(toChange) })
          const { data, dependencies } = recorder<Asker>(set, { grain: 'seen', fragments })
          const answers = input.map((one) => answer(data, one))
          const read = dependencies()
          for (const [at, { entry, forgets }] of later.entries()) {
            set.apply({ revision: at + 2, changes: entry.map(toChange) })
            if (forgets) forget(set, fragments)
            const fresh = input.map((one) => answer(recorder<Asker>(set, { grain: 'seen' }).data, one))
            const memoised = input.map((one) => answer(recorder<Asker>(set, { grain: 'seen', fragments }).data, one))
            expect(memoised).to.deep.equal(fresh)
            if (set.unmoved(read, 1)) expect(fresh).to.deep.equal(answers)
          }
        },
      ),
    )
  })

  it('does not move what the compiler sees when a field it cannot see is edited', () => {
    const set = new WorkingSet(schema)
    const item = { id: 1, group: 1, tags: [2], note: 'a' }
    set.apply({ revision: 1, changes: [{ kind: 'items', id: 1, after: item }] })
    const seen = recorder<Asker>(set, { grain: 'seen' })
    const full = recorder<Asker>(set, { grain: 'full' })
    for (const { data } of [seen, full]) {
      data.get('items', 1)
      data.by('items', 'tags', 2)
    }
    set.apply({ revision: 2, changes: [{ kind: 'items', id: 1, after: { ...item, note: 'b' } as Item }] })
    expect(set.unmoved(seen.dependencies(), 1)).to.equal(true)
    expect(set.unmoved(full.dependencies(), 1)).to.equal(false)
  })

  it('takes for moved what was last known before what it has forgotten, and nothing else', () => {
    const set = new WorkingSet(schema)
    const item = { group: 1, tags: [2], note: 'a' }
    for (const id of [1, 2, 3]) set.apply({ revision: id, changes: [toChange({ id, after: item })] })
    const { data, dependencies } = recorder<Asker>(set, { grain: 'seen' })
    data.get('items', 1)
    for (const _ of set.forget(2));
    expect([1, 2, 3].map((revision) => set.unmoved(dependencies(), revision))).to.deep.equal([false, true, true])
    set.apply({ revision: 4, changes: [toChange({ id: 1, after: { ...item, group: 2 } })] })
    expect([2, 3, 4].map((revision) => set.unmoved(dependencies(), revision))).to.deep.equal([false, false, true])
    const before = set.rememberedDependencies
    for (const _ of set.forget(4));
    expect([before > 0, set.rememberedDependencies]).to.deep.equal([true, 0])
  })

  it('lets nothing be kept of what a trial made of it', () => {
    const set = new WorkingSet(schema)
    const trial = set.trial()
    trial.change('items', 1, { id: 1, group: 1, tags: [], note: 'a' } as Item)
    expect(() => recorder(set, { grain: 'seen', fragments: new FragmentCache() })).to.throw('nothing can be kept')
    expect(recorder<Asker>(set, { grain: 'seen' }).data.get('items', 1)).to.include({ group: 1 })
    trial.rollback()
    recorder(set, { grain: 'seen', fragments: new FragmentCache() })
  })

  it('tells membership from content', () => {
    const set = new WorkingSet(schema)
    const item = { id: 1, group: 1, tags: [2], note: 'a' }
    set.apply({ revision: 1, changes: [{ kind: 'items', id: 1, after: item }] })
    const members = recorder<Asker>(set, { grain: 'seen' })
    members.data.ids('items', 'group', 1)
    const some = recorder<Asker>(set, { grain: 'seen' })
    some.data.has('items', 'group', 1)
    set.apply({ revision: 2, changes: [{ kind: 'items', id: 1, after: { ...item, tags: [3] } as Item }] })
    expect(set.unmoved(members.dependencies(), 1)).to.equal(true)
    set.apply({ revision: 3, changes: [{ kind: 'items', id: 2, after: { ...item, id: 2 } as Item }] })
    expect(set.unmoved(members.dependencies(), 1)).to.equal(false)
    expect(set.unmoved(some.dependencies(), 1)).to.equal(true)
  })

  it('refuses an entry out of order', () => {
    const set = new WorkingSet(schema)
    expect(() => set.apply({ revision: 2, changes: [] })).to.throw('revision 2 cannot follow 0')
  })
})

function picture(set: WorkingSet): unknown {
  return [
    set.allIds('items').map((id) => [set.get('items', id), set.revisionOf('items', id)]),
    [1, 2, 3, 4].map((key) => [[...set.ids('items', 'group', key)], [...set.ids('items', 'tags', key)]]),
    set.lastIds(),
  ]
}
