import { expect } from 'chai'
import { bodySchema } from '../api/operations/endpoint.js'
import type { TestServer } from './build.js'
import { everyWrite } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

/** What the field's programs call their JSON: curl, browsers' portals, Perl, and those that call it nothing. */
const types = ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/xml', '']

const takesBody = new Map(routes.map((route) => [`${route.method} ${route.path}`, bodySchema(route) !== null]))

describe('every write, as the programs of the field send it', function () {
  this.timeout(60_000)
  let server: TestServer
  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  it('is taken whatever its body is called; a body that the route does not take is not looked at', async () => {
    const wrong: string[] = []
    let at = 0
    for await (const { route, path, body } of everyWrite(server)) {
      const type = types[at++ % types.length]!
      const sent = takesBody.get(route) ? JSON.stringify(body ?? {}) : '{"id":1,"name":'
      const bytes = type === '' ? new TextEncoder().encode(sent) : sent
      const headers = { cookie: server.cookie(), ...(type === '' ? {} : { 'content-type': type }) }
      const method = route.split(' ')[0]!
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body: bytes }),
      })
      if (answer.status !== 200)
        wrong.push(`${route} as '${type}': ${answer.status} ${(await answer.text()).slice(0, 150)}`)
      else await answer.arrayBuffer()
    }
    expect(wrong).to.deep.equal([])
  })
})
