import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { routes } from '../routes.js'
import { sampleServer } from '../sampleServer.js'
import { agreed, surface } from '../surface.js'
import type { KeySets } from './keySets.js'
import { answersRecords, keySets } from './keySets.js'

const notBuilt = 501

/** What is answered, key by key and version by version, is what was agreed: test/surface/. */
describe('the keys of answers', () => {
  let server: TestServer
  let sets: KeySets
  before(async function () {
    this.timeout(120_000)
    server = await sampleServer()
    sets = await keySets(server)
  })
  after(() => server.close())

  it('are known of every route that answers records', async () => {
    const silent: string[] = []
    for (const { path } of routes.filter((route) => answersRecords(route) && !sets.has(route))) {
      const { status } = await server.get(`/api/1.3${path.replaceAll(/:\w+/g, '1')}`)
      if (status !== notBuilt) silent.push(path)
    }
    expect(silent, 'they need something to show: make it in `prepare` of test/interface/world.ts').to.deep.equal([])
  })

  it('are those of the files, in every version', () => {
    const said =
      'Keys came or went. A field that older versions do not have says so itself (`since`). ' +
      'Else `npm run surface -- --update`, then read the diff of test/surface/.'
    const [now, then] = [surface(sets), agreed()]
    for (const name of new Set([...Object.keys(now), ...Object.keys(then)])) {
      expect((now[name] ?? '').split('\n'), `test/surface/${name}: ${said}`).to.deep.equal(
        (then[name] ?? '').split('\n'),
      )
    }
  })
})
