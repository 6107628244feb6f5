import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'

interface Mongodb {
  readonly uri: string
  /** The compatible server for tests reads every collection from end to end: keep its collections small. */
  readonly scans: boolean
}

/** Runs tests on the MongoDB-compatible test server and on the MongoDB that MONGODB_TEST_URI names; says what it skips. */
export function onMongodb(title: string, tests: (mongodb: () => Mongodb) => void): void {
  describe(`${title}, MongoDB-compatible server`, () => {
    let server: MongodbServer | null

    before(async function () {
      this.timeout(600_000)
      server = await startMongodbServer()
      if (!server) this.skip()
    })
    after(() => server?.remove())

    tests(() => ({ uri: server!.uri, scans: true }))
  })

  const uri = process.env.MONGODB_TEST_URI
  if (uri) {
    describe(`${title}, MongoDB of MONGODB_TEST_URI`, () => tests(() => ({ uri, scans: false })))
  } else {
    it(`${title}, MongoDB of MONGODB_TEST_URI`, function () {
      console.log('    SKIPPED: MONGODB_TEST_URI is not set, so there is no real MongoDB to test against')
      this.skip()
    })
  }
}
