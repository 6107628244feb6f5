import { expect } from 'chai'
import { versions } from '../api/config/apiVersions.js'
import { resources } from '../api/routes/resources.js'
import { asking } from './asking.js'
import type { TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'

/** `test/everyBody.test.ts` has it of every write; here is what the header may not do. */
describe('what nothing reads of a request', () => {
  let server: TestServer
  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  const header = 'x-edgewright-ignored'

  it('is told of a list, cached or not, and is no part of what others get', async () => {
    const headers = { cookie: server.cookie() }
    const get = (path: string, more = {}) =>
      asking(`${server.url}/api/1.3${path}`, { method: 'GET', headers: { ...headers, ...more } })
    const plain = await get('/divisions')
    // By way of Koa, then twice by the fast path; and the same with another name.
    for (const query of ['colour=blue', 'colour=blue', 'colour=blue', '_=17&fitler=x', '_=17&fitler=x']) {
      const answer = await get(`/divisions?${query}`)
      const said = query.split('&').map((one) => `?${one.split('=')[0]}`)
      expect([answer.headers.get(header), answer.text]).to.deep.equal([said.join(', '), plain.text])
      expect(answer.headers.get('etag')).to.equal(plain.headers.get('etag'))
      expect((await get('/divisions')).headers.get(header)).to.equal(null)
    }
    const same = await get('/divisions?colour=blue', { 'if-none-match': plain.headers.get('etag')! })
    expect([same.status, same.headers.get(header)]).to.deep.equal([304, '?colour'])
    for (const known of ['name=x', 'orderby=name', 'limit=1', 'wait=0s', 'rev=1', 'id=1'])
      expect((await get(`/divisions?${known}`)).headers.get(header), known).to.equal(null)
    expect((await get('/nothing?colour=blue')).headers.get(header)).to.equal(null)
  })

  it('cannot write headers of its own, nor long ones', async () => {
    const names = ['a\r\nset-cookie: x=1', '\u{d800}', 'ü, b', '%', '"', '\0', '__proto__', 'n'.repeat(5000)]
    const body = `{"name":"d",${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`
    const answer = await server.request('POST', '/api/1.3/divisions?dryRun=true', body)
    const said = answer.headers.get(header)!
    expect(said).to.match(/^[\w.%?!~*'() ,-]+$/)
    expect(said).to.include('a%0D%0Aset-cookie%3A%20x%3D1, %EF%BF%BD, %C3%BC%2C%20b, %25, %22, %00, __proto__, nnn')
    expect(answer.headers.get('set-cookie') ?? '').to.not.include('x=1')
    expect(answer.body.alerts[1]).to.deep.equal({ level: 'warning', text: `Nothing reads ${said}.` })
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`${'é'.repeat(100)}${at}`, at]))
    const long = await server.request('POST', '/api/1.3/divisions?dryRun=true', { name: 'd', ...many })
    expect(long.headers.get(header)).to.match(/, and 880 more$/)
    expect(long.headers.get(header)!.length).to.be.lessThan(1500)
  })

  it('is told of a refusal, too: a misspelt field is one that is missing', async () => {
    const { status, headers } = await server.request('POST', '/api/1.3/divisions', { nmae: 'd' })
    expect([status, headers.get(header)]).to.deep.equal([400, 'nmae'])
  })

  it('is what records keep to themselves: refused by PATCH, and by no refusal named', async () => {
    const { id } = (await server.ok('GET', '/api/1.3/users?username=admin')).body.response[0]
    const password = 'a-Password-of-tests'
    const body = { passwordHash: 'x', localPassword: password, confirmLocalPassword: password }
    const patched = await server.request('PATCH', `/api/1.3/users/${id}?dryRun=true`, body)
    const [alert, ...others] = patched.body.alerts
    expect([patched.status, others]).to.deep.equal([400, []])
    expect(alert.text)
      .to.match(/^unknown field 'passwordHash'; known: username, /)
      .and.not.match(/, (password|token)Hash/)
    const { passwordHash: _, ...rest } = body
    expect((await server.request('PATCH', `/api/1.3/users/${id}?dryRun=true`, rest)).status).to.equal(200)
  })

  it('is nothing of what answers show: clients send back what they read', async () => {
    const told: string[] = []
    for (const resource of resources) {
      const routes = resource.routes.map((route) => route(resource as never))
      const list = routes.find(({ method, path }) => method === 'GET' && !path.includes(':'))?.path
      const changes = routes.filter(({ method, path }) => method === 'PUT' && /^[^:]*(\/:id)?$/.test(path))
      if (!list) continue
      for (const version of versions) {
        const { body } = await server.get(`/api/${version}${list}?limit=1`)
        const [row] = [body.response].flat().filter((one) => typeof one === 'object' && one && 'id' in one)
        if (!row) continue
        for (const { path, query } of changes) {
          const at = query && 'id' in query ? `${path}?id=${row.id}&` : `${path.replace(':id', row.id)}?`
          const { headers } = await server.request('PUT', `/api/${version}${at}dryRun=true`, row)
          if (headers.get(header)) told.push(`${version} ${path}: ${headers.get(header)}`)
        }
      }
    }
    const { body } = await server.get('/api/1.2/user/current')
    const own = await server.request('PUT', '/api/1.2/user/current?dryRun=true', { user: body.response })
    expect([...told, own.headers.get(header)]).to.deep.equal([null])
  })

  it('a user name and a password are taken by either name', async () => {
    const { username, password } = server.admin
    const login = (body: object) => server.anonymous.request('POST', '/api/1.3/user/login', body)
    for (const body of [
      { username, password },
      { u: username, password },
      { username, p: password, u: null },
    ])
      expect([(await login(body)).status, (await login(body)).headers.get(header)]).to.deep.equal([200, null])
    const form = await asking(`${server.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username, password }).toString(),
    })
    expect(form.status).to.equal(200)
    expect((await login({ username, password: '' })).status).to.equal(400)
    expect((await login({ username, password: 'x', u: 'nobody' })).status).to.equal(401)
  })
})
