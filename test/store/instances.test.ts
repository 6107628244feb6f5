import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { follow } from '../../api/store/follow.js'
import { MongoJournal } from '../../api/store/mongo/mongoJournal.js'
import type { Entry, Store } from '../../api/store/store.js'
import { StoreUnavailable } from '../../api/store/store.js'
import { created, entryAt, replay, sorted } from './entries.js'
import { onMongodb } from './onMongodb.js'
import { embeddedPlace, mongoPlace } from './places.js'
import { wholeJournal } from './storm.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'

describe('two instances', () =>
  onMongodb('two instances on one database', (mongodb) => {
    const commits = nightly ? 2000 : 300

    it(`lose no update, leave no gap and take no revision twice in ${commits} commits of 4 writers`, async () => {
      const perDatabase = mongodb().scans ? commits / (nightly ? 10 : 3) : commits
      for (let begun = 0; begun < commits; begun += perDatabase) {
        const place = mongoPlace(mongodb().uri)
        await expectCounted([await place.open(), await place.open()], perDatabase)
        await place.remove()
      }
    }).timeout(1_200_000)

    it('take an entry for their own by its id alone, whatever the request is called', async () => {
      const place = mongoPlace(mongodb().uri)
      const stores = [await place.open(), await place.open()] as const
      // Large enough for chunks, too: those of one must not pass for those of the other.
      for (const [revision, text] of ['small', 'x'.repeat(4_100_000)].map((text, at) => [at + 1, text] as const)) {
        const rivals = stores.map((_, id) =>
          entryAt(revision, { changes: [created('cdns', { id, text: `${id}${text}` })] }),
        )
        const counts = await Promise.all(stores.map((store, at) => store.append([rivals[at]!])))
        expect([...counts].sort()).to.deep.equal([0, 1])
        const winner = rivals[counts.indexOf(1)]
        for (const store of stores) expect(await store.entriesAfter(revision - 1, 1)).to.deep.equal([winner])
      }
      for (const store of stores) await store.close()
      await place.remove()
    }).timeout(30_000)

    it('see what the other wrote within a second', async () => {
      const place = mongoPlace(mongodb().uri)
      const [one, other] = [await place.open(), await place.open()]
      const seen = nextEntry()
      const following = follow({ store: other, from: 0, onEntry: seen.take, onError: seen.fail })
      const started = performance.now()
      await one.append([entryAt(1)])
      expect((await seen.entry).revision).to.equal(1)
      expect(performance.now() - started).to.be.lessThan(1000)
      await following.stop()
      await one.close()
      await other.close()
      await place.remove()
    })

    it('write the records of a third that died before it had', async () => {
      const place = mongoPlace(mongodb().uri)
      const [one, other] = [await place.open(), await place.open()]
      const entries = [entryAt(1), entryAt(2), entryAt(3)]
      await one.append(entries.slice(0, 1))
      await one.settled()
      // What a process leaves that is killed right after its commit: the journal entry and nothing else.
      const client = new MongoClient(place.uri)
      await new MongoJournal(client.db(), { unsent: 1000, sent: 1000 }).insert(entries.slice(1, 2))
      await client.close()
      expect(sorted(await other.load())).to.deep.equal(replay(entries.slice(0, 2)))
      expect(await one.append(entries.slice(1, 2).map((entry) => ({ ...entry, id: 'another' })))).to.equal(0)
      await one.append(entries.slice(2))
      for (const store of [one, other]) await store.settled()
      expect(sorted(await one.load())).to.deep.equal(replay(entries))
      await one.close()
      await other.close()
      await place.remove()
    })
  }))

/** Two writers on each store count up one record together, `commits` times in all; then both stores must agree. */
async function expectCounted(instances: readonly Store[], commits: number): Promise<void> {
  const acknowledged: number[] = []
  const writers = instances.flatMap((store) => [store, store])
  await Promise.all(writers.map((store, writer) => countUp(store, writer, commits / writers.length, acknowledged)))

  const entries = await wholeJournal(instances[0]!)
  expect(entries.map(({ revision }) => revision)).to.deep.equal(entries.map((_, index) => index + 1))
  expect(entries).to.have.length(commits)
  expect(acknowledged.sort((a, b) => a - b)).to.deep.equal(entries.map(({ revision }) => revision))
  expect(entries.map(({ changes }) => changes[0]?.after)).to.deep.equal(
    entries.map(({ revision }) => ({ id: 1, value: revision })),
  )
  for (const store of instances) await store.settled()
  for (const store of instances) expect(sorted(await store.load())).to.deep.equal(replay(entries))
  for (const store of instances) await store.close()
}

describe('following a journal', () => {
  it('hands over every entry once and in order, also when the store is away for a while', async () => {
    const place = embeddedPlace()
    const store = await place.open()
    const wanted = 250
    const taken: number[] = []
    let polls = 0
    await new Promise<void>((resolve, reject) => {
      const flaky = {
        async entriesAfter(revision: number, limit: number): Promise<Entry[]> {
          if (++polls % 3 === 0) throw new StoreUnavailable('away')
          return store.entriesAfter(revision, limit)
        },
      }
      const following = follow({
        store: flaky,
        from: 0,
        interval: 1,
        onError: reject,
        async onEntry({ revision }) {
          taken.push(revision)
          if (revision === wanted) following.stop().then(resolve, reject)
        },
      })
      store.append(Array.from({ length: wanted }, (_, index) => entryAt(index + 1))).catch(reject)
    })
    expect(taken).to.deep.equal(Array.from({ length: wanted }, (_, index) => index + 1))
    await store.close()
    await place.remove()
  })

  it('tells of an error that is none of the store', async () => {
    const place = embeddedPlace()
    const store = await place.open()
    await store.append([entryAt(1)])
    const seen = nextEntry()
    const broken = () => {
      throw new Error('broken')
    }
    follow({ store, from: 0, onEntry: broken, onError: seen.fail })
    expect(await seen.entry.catch((error: Error) => error.message)).to.equal('broken')
    await store.close()
    await place.remove()
  })
})

/** Adds one to the same record `times` times, deciding anew whenever another writer was first. */
async function countUp(store: Store, writer: number, times: number, acknowledged: number[]): Promise<void> {
  let seen = 0
  let value = 0
  for (let done = 0; done < times; ) {
    const after = { id: 1, value: value + 1 }
    const before = value === 0 ? null : { id: 1, value }
    const entry = entryAt(seen + 1, { user: `writer-${writer}`, changes: [{ kind: 'cdns', id: 1, before, after }] })
    if ((await store.append([entry])) === 1) {
      done++
      acknowledged.push(entry.revision)
    }
    for (const { revision, changes } of await store.entriesAfter(seen, 1000)) {
      seen = revision
      value = changes[0]?.after?.value as number
    }
  }
}

function nextEntry() {
  let take: (entry: Entry) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const entry = new Promise<Entry>((resolve, reject) => {
    take = resolve
    fail = reject
  })
  return { entry, take, fail }
}
