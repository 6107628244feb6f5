import { createHash } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Without fetch's own ideas about encodings. */
function raw(url: string, path: string, method: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = rawRequest(`${url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}

describe('a config file over HTTP', () => {
  let server: TestServer
  let cookie: string
  const path = '/api/1.2/servers/edge-chi-01/configfiles/cachesw/remap.config'
  const get = (headers: Record<string, string> = {}, at = path, method = 'GET') =>
    raw(server.url, at, method, { cookie, ...headers })

  before(async () => {
    server = await sampleServer()
    const answer = await server.anonymous.request('POST', '/api/1.2/user/login', {
      u: server.admin.username,
      p: server.admin.password,
    })
    cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  })
  after(() => server.close())

  it('is the same in every encoding, with a length, a digest and a tag of its own', async () => {
    const plain = await get()
    expect(plain.status).to.equal(200)
    expect(plain.headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(plain.body.toString()).to.match(/^# DO NOT EDIT - Generated for edge-chi-01 by Edgewright/)
    const gzip = await get({ 'accept-encoding': 'gzip' })
    const brotli = await get({ 'accept-encoding': 'gzip, br' })
    expect(gzip.headers['content-encoding']).to.equal('gzip')
    expect(brotli.headers['content-encoding']).to.equal('br')
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true)
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true)
    const digest = createHash('sha512').update(plain.body).digest('base64')
    for (const answer of [plain, gzip, brotli]) {
      expect(answer.headers['whole-content-sha512']).to.equal(digest)
      expect(Number(answer.headers['content-length'])).to.equal(answer.body.length)
      expect(answer.headers['x-edgewright-revision']).to.match(/^\d+$/)
    }
    expect(new Set([plain.headers.etag, gzip.headers.etag, brotli.headers.etag]).size).to.equal(3)
  })

  it('answers 304 to any of its tags, and 200 to another', async () => {
    const { headers } = await get({ 'accept-encoding': 'br' })
    for (const tag of [
      headers.etag as string,
      (headers.etag as string).replace('-br', ''),
      `"other", ${headers.etag}`,
      '*',
    ]) {
      const again = await get({ 'if-none-match': tag })
      expect(again.status, tag).to.equal(304)
      expect(again.body.length).to.equal(0)
    }
    expect((await get({ 'if-none-match': '"other"' })).status).to.equal(200)
  })

  it('answers HEAD as GET, without the body', async () => {
    const full = await get()
    const head = await get({}, path, 'HEAD')
    const { date: _, ...same } = full.headers
    const { date: __, ...heads } = head.headers
    expect(heads).to.deep.equal(same)
    expect(head.body.length).to.equal(0)
  })

  it('keeps its tag when a change does not change it, and gets another when one does', async () => {
    const before = await get()
    const service = (await server.get('/api/1.3/deliveryservices?xmlId=vod')).body.response[0]
    const put = (body: object) => server.ok('PUT', `/api/1.3/deliveryservices/${service.id}`, { ...service, ...body })
    await put({ longDesc: 'seen by no file' })
    expect((await get({ 'if-none-match': before.headers.etag as string })).status).to.equal(304)
    await put({ dscp: 10 })
    const changed = await get({ 'if-none-match': before.headers.etag as string })
    expect(changed.status).to.equal(200)
    await put({})
    expect((await get()).headers.etag).to.equal(before.headers.etag)
  })

  it('is found by id and by name, under both segments and all versions', async () => {
    const { id, profileId, cdnId } = (await server.get('/api/1.3/servers?hostName=edge-chi-01')).body.response[0]
    const same = async (...paths: string[]) => {
      const bodies = await Promise.all(paths.map((one) => get({}, one)))
      for (const { status } of bodies) expect(status).to.equal(200)
      expect(new Set(bodies.map(({ body }) => body.toString())).size).to.equal(1)
    }
    await same(
      path,
      `/api/1.1/servers/${id}/configfiles/ats/remap.config`,
      '/api/1.3/servers/edge-chi-01/configfiles/ats/remap.config',
    )
    const listing = (await get({}, '/api/1.2/servers/edge-chi-01/configfiles/cachesw')).body.toString()
    const { info } = JSON.parse(listing)
    await same(
      `/api/1.2/profiles/${info.profileName}/configfiles/cachesw/records.config`,
      `/api/1.2/profiles/${profileId}/configfiles/ats/records.config`,
    )
    await same(
      `/api/1.2/cdns/${info.cdnName}/configfiles/cachesw/bg_fetch.config`,
      `/api/1.2/cdns/${cdnId}/configfiles/ats/bg_fetch.config`,
    )
  })

  it('says 404 and names the right scope when asked in the wrong one', async () => {
    const { body, status } = await get({}, '/api/1.2/cdns/stream/configfiles/cachesw/remap.config')
    expect(status).to.equal(404)
    expect(JSON.parse(body.toString())).to.deep.equal({
      alerts: [{ level: 'error', text: 'Error - incorrect file scope for route used.  Please use the servers route.' }],
    })
    const edge = await get({}, '/api/1.2/servers/edge-chi-01/configfiles/cachesw/cache.config')
    expect(JSON.parse(edge.body.toString()).alerts[0].text).to.contain('the profiles route')
  })

  it('compiles every file a listing names', async () => {
    const { profileId } = (await server.get('/api/1.3/servers?hostName=edge-chi-01')).body.response[0]
    for (const configFile of ['.profile', 'my file.conf', 'ü+&.conf']) {
      const made = { configFile, value: '/opt/odd' }
      await server.ok('POST', `/api/1.3/profiles/${profileId}/parameters`, [
        { name: 'location', ...made },
        { name: 'one', ...made },
      ])
    }
    for (const host of ['edge-chi-01', 'mid-us-east-01']) {
      const { configFiles } = JSON.parse(
        (await get({}, `/api/1.2/servers/${host}/configfiles/cachesw`)).body.toString(),
      )
      expect(configFiles.length).to.be.greaterThan(15)
      for (const { apiUri, url } of configFiles) {
        if (url) continue
        const { status, body } = await get({}, apiUri)
        expect(status, `${apiUri} ${body}`).to.equal(200)
      }
    }
  })

  it('refuses path tricks without looking anywhere', async () => {
    for (const name of [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      'a%00b',
      'x'.repeat(300),
      '.htaccess',
      'remap.config%2f..',
      '__proto__',
      'constructor',
    ]) {
      for (const scope of ['servers/edge-chi-01', 'profiles/GLOBAL', 'cdns/stream']) {
        const { status } = await get({}, `/api/1.2/${scope}/configfiles/cachesw/${name}`)
        expect(status, `${scope} ${name}`).to.be.oneOf([400, 404, 414])
      }
    }
  })

  it('explains itself: every record with its revision, what was not there, warnings and times', async () => {
    const { body } = await get({}, `${path}?explain=true`)
    const { response } = JSON.parse(body.toString())
    expect(response.subject).to.equal('edge-chi-01')
    expect(response.records).to.deep.include({
      kind: 'servers',
      id: response.records.find((one: { kind: string }) => one.kind === 'servers').id,
      name: 'edge-chi-01',
      revision: 2,
    })
    expect(
      response.records.some(
        (one: { kind: string; name: string }) => one.kind === 'deliveryServices' && one.name === 'vod',
      ),
    ).to.equal(true)
    for (const record of response.records) expect(record.revision).to.be.greaterThan(0)
    expect(response.compileMilliseconds).to.be.greaterThan(0)
    expect(response.absent).to.be.an('array').that.is.not.empty
    expect(response.warnings).to.be.an('array')
  })
})
