import { expect } from 'chai'
import { Binary, type Db, MongoClient } from 'mongodb'
import type { RecordDocument } from '../../api/store/documents.js'
import { openMongo } from '../../api/store/mongo/mongo.js'
import { MongoJournal } from '../../api/store/mongo/mongoJournal.js'
import { MongoRecords } from '../../api/store/mongo/mongoRecords.js'
import type { Entry, Store } from '../../api/store/store.js'
import { StoreRefused, StoreUnavailable } from '../../api/store/store.js'
import { created, deleted, entryAt, replay, sorted, updated } from './entries.js'
import { onMongodb } from './onMongodb.js'
import { mongoPlace } from './places.js'

const patience = { unsent: 1000, sent: 1000 }

describe('MongoDB store', () => {
  onMongodb('its documents', (mongodb) => {
    let place: ReturnType<typeof mongoPlace>
    let client: MongoClient
    let database: Db
    let store: Store

    beforeEach(async () => {
      place = mongoPlace(mongodb().uri)
      store = await place.open()
      client = new MongoClient(place.uri)
      database = client.db()
    })
    afterEach(async () => {
      await store.close()
      await client.close()
      await place.remove()
    })

    const documents = (kind: string) => database.collection<RecordDocument>(kind).find().sort({ _id: 1 }).toArray()

    it('are the records, under their revision, for people to query', async () => {
      const server = { id: 3, hostName: 'edge', tags: ['a'], place: { rack: null } }
      await store.append([
        entryAt(1, { changes: [created('servers', server), created('servers', { id: 4 })] }),
        entryAt(2, { changes: [deleted('servers', { id: 4 }), created('odd', { id: 1, fine: 1, 'a.b': [[2]] })] }),
      ])
      await store.settled()
      expect(await documents('servers')).to.deep.equal([
        { _id: 3, rev: 1, hostName: 'edge', tags: ['a'], place: { rack: null } },
        { _id: 4, rev: 2, gone: true },
      ])
      expect(await documents('odd')).to.deep.equal([
        { _id: 1, rev: 2, fine: 1, json: JSON.stringify({ id: 1, fine: 1, 'a.b': [[2]] }) },
      ])
    })

    it('are never overwritten, nor brought back, by a slow writer of older entries', async () => {
      const [old, young] = [
        { id: 1, name: 'old' },
        { id: 1, name: 'young' },
      ]
      const first = entryAt(1, { changes: [created('cdns', old), created('cdns', { id: 2 })] })
      await store.append([first, entryAt(2, { changes: [updated('cdns', old, young), deleted('cdns', { id: 2 })] })])
      await store.settled()
      const written = await documents('cdns')

      // One that knows the first entry only, and has not heard of the mark.
      const slowPlace = mongoPlace(mongodb().uri)
      const slowClient = new MongoClient(slowPlace.uri)
      const slowJournal = new MongoJournal(slowClient.db(), patience)
      await slowJournal.insert([first])
      await database.collection('marks').deleteMany({})
      await new MongoRecords(database, slowJournal).catchUp()
      expect(await documents('cdns')).to.deep.equal(written)
      await slowClient.close()
      await slowPlace.remove()
    })

    it('are made again from the journal when they are lost', async () => {
      const entries = [entryAt(1), entryAt(2), entryAt(3)]
      await store.append(entries)
      await store.settled()
      await store.close()
      await database.collection('marks').deleteMany({})
      await database.collection('cdns').deleteMany({})
      store = await place.open()
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
      await store.settled()
      expect(await documents('cdns')).to.have.length(3)
    })

    it('are refused where the journal has a gap, or ends before a record does', async () => {
      const refused = async (): Promise<string> => {
        const outcome = await store.load().catch((error: unknown) => error)
        expect(outcome).to.be.instanceOf(StoreRefused)
        expect((outcome as StoreRefused).message)
          .to.contain('edgewright restore')
          .and.to.not.contain('\n')
        return (outcome as StoreRefused).message
      }
      await store.append([1, 2, 3, 4].map((revision) => entryAt(revision)))
      await store.settled()
      const journal = database.collection<{ _id: number }>('journal')
      const fourth = await journal.findOneAndDelete({ _id: 4 })
      await database.collection<{ _id: string }>('marks').updateOne({ _id: 'records' }, { $set: { revision: 3 } })
      expect(await refused()).to.contain('cdns 4 is of revision 4, the journal ends at 3')
      await journal.insertOne(fourth!)
      await journal.deleteOne({ _id: 2 })
      await database.collection<{ _id: string }>('marks').updateOne({ _id: 'records' }, { $set: { revision: 1 } })
      expect(await refused()).to.contain('journal entry 2 is missing, the next is 3')
    })

    it('are read as they were written before entries had an id of their own', async () => {
      const text = 'x'.repeat(5_000_000)
      const changes = [created('cdns', { id: 1, text })]
      const { id: _, ...small } = entryAt(1, { requestId: 'request-1' })
      const { id: __, ...large } = entryAt(2, { requestId: 'request-2', changes })
      const json = Buffer.from(JSON.stringify(changes))
      const pieces = [json.subarray(0, 4_000_000), json.subarray(4_000_000)]
      const asDocument = ({ revision, ...rest }: Omit<Entry, 'id'>) => ({ ...rest, _id: revision })
      const journal = database.collection<{ _id: number }>('journal')
      await journal.insertOne({ ...asDocument(small), changes: JSON.stringify(small.changes) } as never)
      await journal.insertOne({ ...asDocument(large), changes: 2 } as never)
      for (const [at, bytes] of pieces.entries())
        await database
          .collection<{ _id: string }>('journalChunks')
          .insertOne({ _id: `2/request-2/${at}`, revision: 2, requestId: 'request-2', bytes } as never)
      await new MongoJournal(database, patience).sweep(2)
      const expected = [small, large].map((entry) => ({ ...entry, id: entry.requestId }))
      expect(await store.entriesAfter(0, 10)).to.deep.equal(expected)
      expect(sorted(await store.load())).to.deep.equal(replay(expected))
    }).timeout(30_000)

    it('do not keep the chunks of an entry that was second or was never finished', async () => {
      const text = 'x'.repeat(5_000_000)
      const [winner, loser] = [1, 1].map((at) => entryAt(at, { changes: [created('cdns', { id: 1, text })] }))
      expect(await store.append([winner!])).to.equal(1)
      expect(await store.append([loser!])).to.equal(0)
      const chunks = database.collection<{ _id: string; entry: string; revision: number; bytes: Binary }>(
        'journalChunks',
      )
      const bytes = new Binary(Buffer.from('half'))
      await chunks.insertOne({ _id: '1/dead/0', revision: 1, entry: 'dead', bytes })
      await chunks.insertOne({ _id: '2/living/0', revision: 2, entry: 'living', bytes })
      await new MongoJournal(database, patience).sweep(1)
      const left = await chunks
        .find({}, { projection: { bytes: 0 } })
        .sort({ _id: 1 })
        .toArray()
      expect(left.map(({ entry }) => entry)).to.deep.equal([winner!.id, winner!.id, 'living'])
      expect(await store.entriesAfter(0, 1)).to.deep.equal([winner])
    }).timeout(60_000)
  })

  it('refuses an address that is none', async () => {
    for (const uri of ['nonsense', 'mongodb://', 'http://127.0.0.1/']) {
      expect(await openMongo({ uri }).catch((error: unknown) => error), uri).to.be.instanceOf(StoreRefused)
    }
  })

  it('says soon that nobody answers', async () => {
    const started = performance.now()
    const uri = 'mongodb://127.0.0.1:1/nowhere'
    expect(await openMongo({ uri }).catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable)
    expect(performance.now() - started).to.be.lessThan(5000)
  })
})
