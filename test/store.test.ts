import { describeStore } from './store/contract.js'
import { type MongodbServer, startMongodbServer } from './store/mongodbServer.js'
import { embeddedPlace, mongoPlace } from './store/places.js'

describe('store, embedded', () => describeStore(embeddedPlace))

describe('store, MongoDB-compatible server', () => {
  let server: MongodbServer | null

  before(async function () {
    this.timeout(600_000)
    server = await startMongodbServer()
    if (!server) this.skip()
  })
  after(() => server?.remove())

  describeStore(() => mongoPlace(server!.uri))
})

describe('store, MongoDB of MONGODB_TEST_URI', () => {
  const uri = process.env.MONGODB_TEST_URI

  before(function () {
    if (uri) return
    console.log('    SKIPPED: MONGODB_TEST_URI is not set, so there is no real MongoDB to test against')
    this.skip()
  })

  describeStore(() => mongoPlace(uri!))
})
