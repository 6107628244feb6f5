import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { type Db, MongoClient } from 'mongodb'
import { createBlobs } from '../../api/store/mongo/mongoBlobs.js'
import { nameHistory, newHistory, sweepHistories } from '../../api/store/mongo/mongoHistories.js'
import { prepareMongo } from '../../api/store/mongo/mongoRestore.js'
import type { Part } from '../../api/store/store.js'
import { onMongodb } from './onMongodb.js'
import { mongoPlace } from './places.js'

const { now } = Date

/** What an instance does whose clock is so many days off. */
async function daysOff<T>(days: number, work: () => Promise<T>): Promise<T> {
  Date.now = () => now() + days * 24 * 3600 * 1000
  try {
    return await work()
  } finally {
    Date.now = now
  }
}

/** What an instance has under way is not swept by another one, which starts, however far their clocks are apart. */
onMongodb('an instance whose clock is days ahead', (mongodb) => {
  let place: ReturnType<typeof mongoPlace>
  let client: MongoClient
  let database: Db
  beforeEach(() => {
    place = mongoPlace(mongodb().uri)
    client = new MongoClient(place.uri)
    database = client.db()
  })
  afterEach(async () => {
    await client.close()
    await place.remove()
  })

  it('leaves the document that another one stores', async () => {
    const blobs = createBlobs(database)
    const bytes = Buffer.alloc(40_000_000, 'document')
    const stored = blobs.put('document', bytes)
    while ((await database.collection('blobChunks').countDocuments()) === 0) await delay(5)
    expect(await blobs.list()).to.deep.equal([])
    await daysOff(3, () => blobs.sweep())
    await stored
    expect((await blobs.get('document'))?.length).to.equal(bytes.length)
  }).timeout(60_000)

  it('leaves the store that another one restores', async () => {
    await nameHistory(database)
    const record = (id: number): Part => ({ record: { kind: 'cdns', revision: 1, record: { id, name: `cdn ${id}` } } })
    async function* parts(): AsyncGenerator<Part> {
      yield { state: { revision: 1, lastIds: { cdns: 5000 } } }
      for (let id = 1; id <= 5000; id++) {
        if (id === 3000) await daysOff(3, () => sweepHistories(database))
        yield record(id)
      }
      yield { journal: { base: 1 } }
    }
    const next = await newHistory(database)
    await prepareMongo(database, next, parts())
    expect(await database.collection(`${next.prefix}.cdns`).countDocuments()).to.equal(5000)
  }).timeout(60_000)
})
