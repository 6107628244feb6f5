import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { routes } from './routes.js'

type Headers = Record<string, string>

const foreign: Headers[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'http://other.example.net' },
  { 'sec-fetch-site': 'same-site' },
]

describe('a change that a page of another site has a browser ask for', function () {
  this.timeout(60_000)
  let server: TestServer
  let own: string

  before(async () => {
    server = await buildServer({ env: { PUBLIC_URL: 'https://cdn.example.net/' } })
    own = server.url
  })
  after(() => server.close())

  const revision = () => server.service.services.workingSet.revision

  it('is refused on every route, whatever it calls its body', async () => {
    const before = revision()
    const wrong: string[] = []
    const changing = routes.filter(({ method, changes }) => method !== 'GET' || changes)
    for (const { method, path, unversioned } of changing) {
      const target = (unversioned ? path : `/api/1.3${path}`).replaceAll(/:\w+/g, '1')
      for (const [at, headers] of foreign.entries()) {
        const type = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'][at % 3]!
        const body = method === 'GET' ? undefined : '{"u":"admin","p":"a-Password-of-tests"}'
        const answer = await server.request(method, target, body, { 'content-type': type, ...headers })
        if (answer.status !== 403 || !answer.text.includes('another site'))
          wrong.push(`${method} ${target} ${JSON.stringify(headers)}: ${answer.status} ${answer.text.slice(0, 100)}`)
        if (answer.headers.getSetCookie().length > 0) wrong.push(`${method} ${target} sets a cookie`)
      }
    }
    expect(wrong).to.deep.equal([])
    expect(changing.length).to.be.greaterThan(100)
    expect(revision()).to.equal(before)
  })

  it('every GET that changes something is known to', () => {
    const silent = routes.filter((route) => route.method === 'GET' && 'write' in route && !route.changes)
    expect(silent.map(({ path }) => path)).to.deep.equal([])
  })

  it('is refused of a GET also by browsers that do not say, over plain HTTP, where it comes from', async () => {
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const evil = { referer: 'http://evil.example/page' }
    const asked = async (headers: Headers) =>
      (await server.request('GET', '/tools/write_crconfig/none-such', undefined, headers)).status
    for (const headers of [browser, evil, { ...browser, ...evil }, { referer: 'about:client' }])
      expect(await asked(headers), JSON.stringify(headers)).to.equal(403)
    // Programs, and a page of ours.
    for (const headers of [{}, { 'user-agent': 'libwww-perl/6.05' }, { ...browser, referer: `${own}/tools` }])
      expect(await asked(headers), JSON.stringify(headers)).to.equal(404)
  })

  let number = 0
  const written = async (headers: Headers, client: Pick<TestServer, 'request'> = server) =>
    (await client.request('POST', '/api/1.3/divisions', { name: `division ${number++}` }, headers)).status

  it('is carried out for a page of its own, and for programs, which say nothing of a page', async () => {
    const host = new URL(own).host
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: own },
      // Before a proxy that asks by a name of its own, as the field's web portal does.
      { 'sec-fetch-site': 'same-origin', origin: 'https://portal.example.net' },
      { origin: own },
      // Before a proxy that speaks TLS.
      { origin: `https://${host}` },
      { origin: 'https://cdn.example.net' },
      { 'sec-fetch-site': 'same-site', origin: 'https://cdn.example.net' },
    ]) {
      expect(await written(headers), JSON.stringify(headers)).to.equal(200)
    }
    const login = { u: server.admin.username, p: server.admin.password }
    expect((await server.anonymous.request('POST', '/api/1.3/user/login', login, { origin: own })).status).to.equal(200)
  })

  it('says which address of its own the service was not told of', async () => {
    const headers = { origin: 'https://portal.example.net' }
    const answer = await server.request('POST', '/api/1.3/divisions', { name: 'x' }, headers)
    expect(answer.body.alerts[0].text).to.match(/pages are at https:\/\/portal\.example\.net, its PUBLIC_URL must/)
    const odd = await server.request('POST', '/api/1.3/divisions', { name: 'x' }, { origin: 'https://a.example/<b>' })
    expect(odd.body.alerts[0].text).not.to.contain('<b>')
  })

  it('is carried out for whoever shows an API token, which no browser adds by itself', async () => {
    const { token } = (await server.ok('POST', '/api/1.3/tokens', { description: 'x' })).body.response
    for (const headers of foreign) {
      expect(await written({ ...headers, authorization: `Bearer ${token}` }, server.anonymous)).to.equal(200)
    }
    // Beside a token that is none the cookie counts for nothing.
    expect(await written({ ...foreign[0], authorization: 'Bearer none' })).to.equal(401)
    expect(await written({ ...foreign[0], authorization: 'Basic none' })).to.equal(403)
  })

  it('leaves reading to the browser, which shows it to no other page', async () => {
    for (const headers of foreign) expect((await server.get('/api/1.3/divisions', headers)).status).to.equal(200)
    const { headers } = await server.get('/api/1.3/divisions')
    expect(headers.get('access-control-allow-origin')).to.equal(null)
    expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin')
  })

  it('is told by https alone where cookies are for https alone', async () => {
    const secure = await buildServer({ env: { SECURE_COOKIES: '1' } })
    try {
      expect(await written({ origin: secure.url }, secure)).to.equal(403)
      expect(await written({ origin: secure.url.replace('http:', 'https:') }, secure)).to.equal(200)
    } finally {
      await secure.close()
    }
  })

  it('is not asked for at an address that is none', async () => {
    const behind = ['/portal', '/?a', '?', '#x', '/#'].map((rest) => `https://cdn.example.net${rest}`)
    behind.push('https://ops:pass@cdn.example.net', 'https://ops@cdn.example.net/')
    for (const address of ['cdn.example.net', 'ftp://cdn.example.net', 'javascript:alert(1)', ...behind]) {
      const failure = await buildServer({ env: { PUBLIC_URL: address } }).catch((error: Error) => error.message)
      expect(failure).to.match(/^PUBLIC_URL must be http:\/\/ or https:\/\/ with a host[^\n]*$/)
    }
  })
})
