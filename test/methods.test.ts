import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { rawGet } from './rawGet.js'

describe('a path that is there, asked in another way', () => {
  let app: TestServer

  before(async () => {
    app = await buildServer()
  })

  after(() => app.close())

  const ask = (method: string, path: string, headers: Record<string, string> = { cookie: app.cookie() }) =>
    fetch(`${app.url}${path}`, { method, headers })

  it('says which methods it has', async () => {
    const answer = await ask('POST', '/api/1.3/cdns/1')
    expect(answer.status).to.equal(405)
    expect(answer.headers.get('allow')!.split(', ').sort()).to.deep.equal(['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT'])
    expect(await answer.json()).to.have.nested.property('alerts[0].level', 'error')
  })

  it('tells OPTIONS, whoever asks', async () => {
    const answer = await ask('OPTIONS', '/api/1.3/cdns.json', {})
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([200, 'HEAD, GET, POST'])
    expect((await ask('OPTIONS', '/api/1.3/nothing')).status).to.equal(404)
  })

  it('tells nobody who is not let in which paths there are', async () => {
    for (const path of ['/api/1.3/cdns/1', '/api/1.3/nothing', '/nothing']) {
      expect((await ask('PATCH', path, {})).status, path).to.equal(401)
    }
  })

  it('deletes nothing for who looks at headers only', async () => {
    const path = '/api/1.3/deliveryservices/xmlId/news/sslkeys/delete'
    const answer = await ask('HEAD', path)
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, DELETE'])
  })
})

describe('a path in another spelling', () => {
  let app: TestServer

  before(async () => {
    app = await buildServer()
  })

  after(() => app.close())

  const ask = (target: string) => rawGet(app.url, target, { cookie: app.cookie() })

  it('is the same with the host before it, as proxies ask, and with escapes that it does not need', async () => {
    const { text } = await app.ok('GET', '/api/1.3/types/1')
    const spellings = [
      'http://a.example/api/1.3/types/1',
      'HTTPS://a.example:8443/api/1.3/types/1',
      'http:///api/1.3/types/1',
    ]
    const escaped = [
      '/api/1%2e3/types/1',
      '/%61pi/1.3/t%79pes/%31',
      '/api/1.3/types/1%2Ejson',
      '/api/1.3/types.json?i%64=1',
    ]
    for (const target of [...spellings, ...escaped])
      for (let warm = 0; warm < 2; warm++) expect((await ask(target)).body, target).to.equal(text)
    expect((await ask('http://a.example?x=1')).status).to.equal(404)
    const every = [...'ABCXYZabcxyz019-._~'].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
    expect((await ask(`/api/1.3/cdns/name/${every}`)).body).to.contain('ABCXYZabcxyz019-._~')
  })

  it('with .json after it is the same, but for what a write is of by its name', async () => {
    const ids = new Map<string, number>()
    for (const name of ['zz', 'zz.json']) {
      const { response } = (await app.ok('POST', '/api/1.3/divisions', { name })).body
      ids.set(name, response.id)
    }
    const named = async (path: string) => JSON.parse((await ask(`/api/1.3/divisions/name/${path}`)).body).response
    expect((await named('zz.json')).map(({ id }: { id: number }) => id)).to.deep.equal([ids.get('zz')])
    expect((await named('zz.json.json')).map(({ id }: { id: number }) => id)).to.deep.equal([ids.get('zz.json')])
    await app.ok('DELETE', '/api/1.3/divisions/name/zz.json')
    expect((await app.get(`/api/1.3/divisions/${ids.get('zz')}.json`)).status).to.equal(200)
    expect((await app.get(`/api/1.3/divisions/${ids.get('zz.json')}`)).status).to.equal(404)
    await app.ok('DELETE', `/api/1.3/divisions/${ids.get('zz')}.json`)
  })

  it('is read once, and no path where it cannot be read', async () => {
    expect((await ask('/api/1.3/cdns/name/%2541')).body).to.contain("'%41'")
    for (const target of [
      '/api/1.3/%74ypes%',
      '/api/1.3/types/%%34%31',
      '/api/1.3%2ftypes',
      'ftp://a.example/api/1.3/types',
    ])
      expect((await ask(target)).status, target).to.equal(404)
  })
})

describe('a client that takes one form of a body rather than another', () => {
  let app: TestServer

  before(async () => {
    app = await buildServer()
  })

  after(() => app.close())

  const form = async (accepted: string) => {
    const { headers } = await app.get('/api/1.3/types', { 'accept-encoding': accepted })
    return headers.get('content-encoding') ?? 'identity'
  }

  const cases = {
    'gzip;q=1.0, br;q=0.5': 'gzip',
    'br;q=0, gzip;q=0.1': 'gzip',
    '*': 'br',
    '*;q=0': 'identity',
    'gzip, br': 'br',
    'identity;q=1, *;q=0.5': 'identity',
    'gzip;q=0': 'identity',
    'br2, xgzip': 'identity',
    '': 'identity',
  }
  for (const [accepted, chosen] of Object.entries(cases)) {
    it(`gets ${chosen} for '${accepted}'`, async () => {
      expect(await form(accepted)).to.equal(chosen)
      expect(await form(accepted), 'kept').to.equal(chosen)
    })
  }
})
