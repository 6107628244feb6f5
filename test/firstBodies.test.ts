import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { createRecordKinds } from '../api/journal/kinds.js'
import { recordKinds } from '../api/records/kinds/index.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

/** What bodies are checked with is code that is made at run time, and takes tens of milliseconds for some. */
describe('the first bodies after a start', () => {
  let app: TestServer
  let made = 0
  const { Function: plain } = globalThis

  before(async function () {
    this.timeout(60_000)
    globalThis.Function = new Proxy(plain, {
      construct: (target, given) => {
        made += 1
        return Reflect.construct(target, given)
      },
    })
    app = await buildServer()
    // Until nothing is made any more.
    for (let before = -1; before < made; await delay(500)) before = made
  })
  after(async () => {
    globalThis.Function = plain
    await app.close()
  })

  it('find all they are checked with', async () => {
    const { resources } = createRecordKinds(recordKinds)
    const before = made
    const document = Object.fromEntries(resources.map(({ kind }) => [kind, [{}]]))
    expect((await app.request('POST', '/api/1.3/import', document)).status).to.equal(400)
    const { id } = (await app.ok('POST', '/api/1.3/divisions', { name: 'first' })).body.response
    await app.ok('PUT', `/api/1.3/divisions/${id}`, { name: 'second' })
    expect((await app.request('POST', '/api/1.3/servers', {})).status).to.equal(400)
    expect((await app.request('POST', '/api/1.3/deliveryservices', {})).status).to.equal(400)
    expect(made - before).to.equal(0)
  })
})
