import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { openApiDocument } from '../api/routes/openapi/document.js'
import type { TestServer } from './build.js'
import { undocumented } from './documented.js'
import { everyWrite } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'

describe('the OpenAPI document', () => {
  let server: TestServer
  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  it('is one', async () => {
    const { valid, errors } = await new Validator().validate(openApiDocument(routes, '1.0.0'))
    expect(errors ?? []).to.deep.equal([])
    expect(valid).to.equal(true)
  })

  it('is served to anybody, with an ETag', async () => {
    const answer = await server.anonymous.get('/api/openapi.json')
    expect(answer.status).to.equal(200)
    expect(answer.body.openapi).to.equal('3.1.0')
    const again = await server.anonymous.get('/api/openapi.json', { 'if-none-match': answer.headers.get('etag')! })
    expect(again.status).to.equal(304)
  })

  it('tells what every list that needs no address answers', async () => {
    const wrong: string[] = []
    for (const { method, path, unversioned } of routes) {
      if (method !== 'GET' || path.includes(':') || path === '/watch') continue
      const place = unversioned ? path : `/api/1.3${path}`
      const answer = await server.get(place)
      if (answer.status !== 200) expect([400, 501], place).to.include(answer.status)
      else wrong.push(...undocumented(method, place, answer.body).map((fault) => `${place}: ${fault}`))
    }
    expect(wrong).to.deep.equal([])
  })

  it('tells what every write answers', async () => {
    const wrong: string[] = []
    for await (const { route, path, body } of everyWrite(server)) {
      const [method = ''] = route.split(' ')
      const answer = await server.request(method, path, body)
      expect(answer.status, `${route}: ${answer.text.slice(0, 200)}`).to.equal(200)
      wrong.push(...undocumented(method, path, answer.body).map((fault) => `${route}: ${fault}`))
    }
    expect(wrong).to.deep.equal([])
  }).timeout(60_000)

  it('has every route once', () => {
    const { paths } = openApiDocument(routes, '1.0.0') as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    expect(operations).to.have.length(routes.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(routes.length)
  })
})
