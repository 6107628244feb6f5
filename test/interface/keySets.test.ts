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
    const [now, then] = [linesOf(surface(sets)), linesOf(agreed())]
    const come = [...now].filter((line) => !then.has(line)).map((line) => `+ ${line}`)
    const gone = [...then].filter((line) => !now.has(line)).map((line) => `- ${line}`)
    expect([...gone, ...come].join('\n'), said).to.equal('')
  })
})

/** Every line with its file and the route it is about. */
function linesOf(files: Readonly<Record<string, string>>): ReadonlySet<string> {
  const lines = new Set<string>()
  for (const [name, text] of Object.entries(files)) {
    let route = ''
    for (const line of text.trimEnd().split('\n')) {
      const isRoute = /^\S/.test(line)
      if (isRoute) route = line.split(' ').slice(0, -2).join(' ')
      lines.add(`${name}: ${isRoute ? line : `${route} ${line.slice(6)}`}`)
    }
  }
  return lines
}
