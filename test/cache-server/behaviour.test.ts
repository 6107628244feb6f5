import { expect } from 'chai'
import { findCacheServer } from './cacheServer.js'
import type { Chain } from './chain.js'
import { openChain } from './chain.js'
import { content } from './content.js'
import type { Explained } from './problems.js'
import { ways } from './ways.js'

const explained: readonly Explained[] = [
  { pattern: /^\[url_sig\] \[URL=/, because: 'requests with a bad signature are refused on purpose' },
  { pattern: /^client '127\.0\.0\.2' prohibited by ip-allow policy$/, because: 'a stranger asks a mid on purpose' },
  { pattern: /\(secure\.origin\.test\).* Action=Continue /, because: 'the certificate of the origin is self-signed' },
]

describe('requests through an edge, a mid and an origin', function () {
  this.timeout(60_000)
  let chain: Chain

  before(async function () {
    const server = await findCacheServer()
    if ('missing' in server) {
      console.log(`      SKIPPED, ${server.missing}: how compiled files behave on a cache server was not tested`)
      return this.skip()
    }
    chain = await openChain(server, explained)
  })

  after(() => chain?.close())

  content(() => chain)
  ways(() => chain)

  describe('in all this no cache', () => {
    it('had a reason to complain', () => {
      expect(chain.problems()).to.deep.equal([])
    })
  })
})
