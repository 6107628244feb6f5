import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { RE2JS } from 're2js'
import { ApiError } from '../api/config/errors.js'
import { createRoutes } from '../api/routes/index.js'
import { openApiDocument } from '../api/routes/openapi/document.js'
import { system } from '../api/schema/privileges.js'
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
      const leads = routes.some((one) => one.redirects && `${one.method} ${one.path}` === route)
      expect(answer.status, `${route}: ${answer.text.slice(0, 200)}`).to.equal(leads ? 302 : 200)
      wrong.push(...undocumented(method, path, answer.body).map((fault) => `${route}: ${fault}`))
    }
    expect(wrong).to.deep.equal([])
  }).timeout(60_000)

  it('has only patterns that Go, Rust and Python read as JavaScript does', () => {
    const patterns = [...new Set(patternsIn(openApiDocument(routes, '1.0.0')))]
    expect(patterns).to.have.length.above(10)
    // RE2 has what the engines have in common; `\\u` it has not.
    for (const pattern of patterns) expect(() => RE2JS.compile(pattern), pattern).not.to.throw()
  })

  it('names the records, their bodies and what is refused', () => {
    const { components } = openApiDocument(routes, '1.0.0') as { components: Record<string, Record<string, object>> }
    expect(components.schemas).to.include.all.keys(
      'Server',
      'ServerCreate',
      'ServerUpdate',
      'ParameterPatch',
      'Refused',
    )
    expect(components.responses).to.include.all.keys('BadRequest', 'Conflict', 'PreconditionFailed')
    const { required, properties } = components.schemas!.Server as { required: string[]; properties: object }
    expect(required).to.have.members(Object.keys(properties))
  })

  it('tells every query parameter that a GET asks for', async () => {
    const { services } = server.service
    const wrong: string[] = []
    const call = {
      committer: services.committer,
      request: new IncomingMessage(new Socket()),
      stillPermitted: () => undefined,
      gone: new AbortController().signal,
    }
    for (const route of createRoutes(services)) {
      if (route.method !== 'GET' || 'write' in route || route.changes) continue
      const input = new Set<string>()
      const query = new Proxy({} as Record<string, string>, {
        get: (_, name) => void input.add(String(name)),
      })
      const given = {
        params: { id: '2', name: 'stream', xmlId: 'vod' },
        query,
        body: undefined,
        version: '1.3',
      } as const
      const who = { user: system, headers: {}, address: '127.0.0.1', requestId: 'query' }
      try {
        if ('read' in route) route.read({ ...given, ...who }, services.data)
        else if ('keeps' in route) await route.keeps({ ...given, ...who })
        else await route.live({ ...given, ...who }, call)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
      const told = Object.keys(route.query ?? {})
      wrong.push(...[...input].filter((name) => !told.includes(name)).map((name) => `${route.path}: ${name}`))
    }
    expect(wrong).to.deep.equal([])
  })

  it('has every route once', () => {
    const { paths } = openApiDocument(routes, '1.0.0') as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    expect(operations).to.have.length(routes.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(routes.length)
  })
})

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}
