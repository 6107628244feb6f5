import { expect } from 'chai'
import { system } from '../../api/schema/privileges.js'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('delivery services', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const get = async (path: string) => (await app.ok('GET', path)).body.response
  const read = async (id: number, version = '1.3') => (await get(`/api/${version}/deliveryservices/${id}`))[0]
  const refusal = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await app.request(method, path, body)
    return [status, ...answer.alerts.map(({ text }: { text: string }) => text)]
  }

  describe('shapes', () => {
    it('differ between 1.1, 1.2 and 1.3 as the interface says', async () => {
      const { id } = await net.addService('shapes', { protocol: 2, signed: true, geoLimitCountries: 'us, ca' })
      const first = await read(id, '1.1')
      expect(first).to.include({ id: String(id), dscp: '0', signingAlgorithm: 'url_sig', missLat: '1.5', signed: true })
      expect(first).not.to.have.any.keys('deepCachingType', 'routingName', 'tenant', 'tenantId')
      expect(first.geoLimitRedirectUrl).to.equal(null)
      expect(first.matchList).to.deep.equal([{ type: 'HOST_REGEXP', setNumber: '0', pattern: '.*\\.shapes\\..*' }])
      const second = await read(id, '1.2')
      expect(second).to.include({ deepCachingType: 'NEVER', routingName: 'cdn', tenant: 'root', tenantId: 1 })
      expect(second).not.to.have.property('signingAlgorithm')
      const third = await read(id)
      expect(third).to.include({ id, dscp: 0, signingAlgorithm: 'url_sig', geoLimitCountries: 'US,CA', type: 'HTTP' })
      expect(third.exampleURLs).to.deep.equal(['http://cdn.shapes.net.example', 'https://cdn.shapes.net.example'])
      expect(third.matchList[0].setNumber).to.equal(0)
    })

    it('answer writes with an array of one, in native numbers', async () => {
      const answer = (await app.ok('POST', '/api/1.2/deliveryservices', await net.serviceBody('written'))).body
      expect(answer.alerts[0]).to.deep.equal({ level: 'success', text: 'Deliveryservice creation was successful.' })
      expect(answer.response[0]).to.include({ xmlId: 'written', missLat: 1.5, initialDispersion: 1 })
    })
  })

  describe('what each type requires', () => {
    const types: Record<string, string[]> = {
      HTTP: [
        'ipv6RoutingEnabled',
        'multiSiteOrigin',
        'protocol',
        'missLat',
        'missLong',
        'orgServerFqdn',
        'qstringIgnore',
        'rangeRequestHandling',
        'initialDispersion',
      ],
      DNS: [
        'ipv6RoutingEnabled',
        'multiSiteOrigin',
        'protocol',
        'missLat',
        'missLong',
        'orgServerFqdn',
        'qstringIgnore',
        'rangeRequestHandling',
      ],
      STEERING: ['ipv6RoutingEnabled', 'protocol'],
      CLIENT_STEERING: ['ipv6RoutingEnabled', 'protocol'],
      ANY_MAP: [],
    }
    const common = [
      'active',
      'cdnId',
      'displayName',
      'dscp',
      'geoLimit',
      'geoProvider',
      'logsEnabled',
      'regionalGeoBlocking',
      'typeId',
      'xmlId',
    ]

    for (const [type, required] of Object.entries(types)) {
      it(`${type}: ${[...common, ...required].join(', ')}`, async () => {
        const body = await net.serviceBody(`required-${type.toLowerCase().replace('_', '-')}`, {
          typeId: await net.typeId(type),
        })
        for (const name of [...common, ...required]) {
          const { [name as never]: _, ...rest } = body
          const [status, ...texts] = await refusal('POST', '/api/1.2/deliveryservices', rest)
          expect([name, status, texts.length]).to.deep.equal([name, 400, 1])
          expect(texts[0]).to.match(new RegExp(`^${name} is required\\b`))
        }
        const whole: Record<string, unknown> = { ...body }
        const optional = types.HTTP!.filter((name) => !required.includes(name))
        for (const name of optional) delete whole[name]
        await app.ok('POST', '/api/1.2/deliveryservices', whole)
      })
    }

    it('is kept by a client that sends null for what it does not say, when it makes a service and changes it', async () => {
      const unsaid = Object.fromEntries(
        types.HTTP!.filter((name) => name !== 'orgServerFqdn').map((name) => [name, null]),
      )
      const body = await net.serviceBody('unsaid', unsaid)
      const [{ id }] = (await app.ok('POST', '/api/1.3/deliveryservices', body)).body.response
      const made = await read(id)
      expect(made).to.include({ protocol: 0, missLat: 0, initialDispersion: 1, ipv6RoutingEnabled: true })
      const said = { missLat: 1.5, missLong: 2, qstringIgnore: 1, rangeRequestHandling: 1, initialDispersion: 3 }
      await app.ok('PUT', `/api/1.3/deliveryservices/${id}`, { ...body, ...said })
      for (const nothing of [null, '']) {
        const again = Object.fromEntries(Object.keys(said).map((name) => [name, nothing]))
        await app.ok('PUT', `/api/1.3/deliveryservices/${id}`, { ...body, ...again, protocol: nothing })
        expect(await read(id)).to.include({ ...said, protocol: 0 })
      }
      const partial = await refusal('PATCH', `/api/1.3/deliveryservices/${id}`, { missLat: null })
      expect(partial[0]).to.equal(400)
    })
  })

  it('takes no names that could not be part of host and file names, and no origin with a path', async () => {
    for (const xmlId of ['two words', 'with.dot', '../up', 'x'.repeat(49), '-dash', '']) {
      expect((await refusal('POST', '/api/1.2/deliveryservices', await net.serviceBody(xmlId)))[0]).to.equal(400)
    }
    for (const orgServerFqdn of [
      'http://a.example/',
      'ftp://a.example',
      'a.example',
      'http://a.example:99999',
      'http://-a..example',
      `http://${'a'.repeat(64)}.example`,
      `http://${'a.'.repeat(130)}example`,
      'http://a b',
    ]) {
      const body = await net.serviceBody('no-origin', { orgServerFqdn })
      expect((await refusal('POST', '/api/1.2/deliveryservices', body))[0], orgServerFqdn).to.equal(400)
    }
    const forged = await net.serviceBody('forged', { edgeHeaderRewrite: 'set x\nmap http://evil/ http://evil/' })
    expect((await refusal('POST', '/api/1.2/deliveryservices', forged))[0]).to.equal(400)
  })

  it('takes no name whose files would be those of another', async () => {
    await net.addService('twin')
    await net.addService('mid_elder')
    for (const xmlId of ['mid_twin', 'elder'])
      expect((await refusal('POST', '/api/1.2/deliveryservices', await net.serviceBody(xmlId)))[0]).to.equal(409)
    await net.addService('mid_nobody')
  })

  it('keeps xml ids unique and for good', async () => {
    const { id } = await net.addService('steady')
    expect((await refusal('POST', '/api/1.2/deliveryservices', await net.serviceBody('steady')))[0]).to.equal(409)
    expect(await refusal('PUT', `/api/1.2/deliveryservices/${id}`, await net.serviceBody('moved'))).to.deep.equal([
      400,
      'A deliveryservice xmlId is immutable.',
    ])
  })

  it('has a pattern and a primary origin from the start, which follows it both ways', async () => {
    const { id } = await net.addService('origins', { orgServerFqdn: 'https://o.example:8443' })
    const origin = async () => (await get(`/api/1.3/origins?deliveryservice=${id}`))[0]
    expect(await origin()).to.include({
      name: 'origins',
      fqdn: 'o.example',
      protocol: 'https',
      port: 8443,
      isPrimary: true,
    })
    const body = await net.serviceBody('origins', { orgServerFqdn: 'http://p.example' })
    await app.ok('PUT', `/api/1.2/deliveryservices/${id}`, body)
    const moved = await origin()
    expect(moved).to.include({ fqdn: 'p.example', protocol: 'http', port: null })
    await app.ok('PUT', `/api/1.3/origins?id=${moved.id}`, { ...moved, fqdn: 'q.example', port: 81 })
    expect((await read(id)).orgServerFqdn).to.equal('http://q.example:81')
    expect((await refusal('DELETE', `/api/1.3/origin?id=${moved.id}`))[1]).to.equal('cannot delete a primary origin')
  })

  it('changes its descriptions only through the safe update', async () => {
    const { id } = await net.addService('safe')
    const reader = await app.as('read-only')
    const answer = await reader.request('PUT', `/api/1.2/deliveryservices/${id}/safe`, {
      longDesc: 'said',
      active: false,
    })
    expect(answer.body.alerts[0].text).to.equal('Deliveryservice safe update was successful.')
    expect(await read(id)).to.include({ longDesc: 'said', active: true })
  })

  it('takes its patterns, origins and assignments along when it is deleted', async () => {
    const { id } = await net.addService('leaving', { edgeHeaderRewrite: 'rm-header X' })
    const server = await net.addServer()
    await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [server.id] })
    expect(await get('/api/1.3/parameters?configFile=hdr_rw_leaving.config')).to.have.length(1)
    await app.ok('DELETE', `/api/1.2/deliveryservices/${id}`)
    expect(await get('/api/1.3/origins?name=leaving')).to.deep.equal([])
    expect(await get('/api/1.3/parameters?configFile=hdr_rw_leaving.config')).to.deep.equal([])
    expect(await get(`/api/1.3/servers/${server.id}/deliveryservices`)).to.deep.equal([])
  })

  describe('the location parameters of its files', () => {
    const located = async (file: string) =>
      (await get(`/api/1.3/parameters?configFile=${file}`)).map((one: { value: string; profiles: string[] }) => [
        one.value,
        one.profiles,
      ])

    it('come with assignment, stand where remap.config does, and go with the field', async () => {
      const body = await net.serviceBody('files', {
        edgeHeaderRewrite: 'rm-header X',
        midHeaderRewrite: 'rm-header Y',
        regexRemap: '/a /b',
        cacheurl: 'a b',
        signingAlgorithm: 'url_sig',
      })
      await net.addServer({
        typeId: await net.typeId('MID'),
        profileId: net.ids.midProfile,
        cachegroupId: net.ids.midGroup,
      })
      const { id } = await net.made('/deliveryservices', body)
      expect(await located('hdr_rw_mid_files.config')).to.deep.equal([['/etc/cache', ['MID_NET']]])
      expect(await located('hdr_rw_files.config')).to.deep.equal([])
      const server = await net.addServer()
      await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [server.id] })
      for (const name of ['hdr_rw_', 'regex_remap_', 'cacheurl_', 'url_sig_']) {
        expect(await located(`${name}files.config`), name).to.deep.equal([['/etc/cache', ['EDGE_NET']]])
      }
      await app.ok('PUT', `/api/1.2/deliveryservices/${id}`, { ...body, regexRemap: '', midHeaderRewrite: ' ' })
      expect(await located('regex_remap_files.config')).to.deep.equal([])
      expect(await located('hdr_rw_mid_files.config')).to.deep.equal([])
      expect(await located('hdr_rw_files.config')).to.have.length(1)
      await app.ok('DELETE', `/api/1.2/deliveryservice_server/${id}/${server.id}`)
      expect(await located('hdr_rw_files.config')).to.deep.equal([])
    })

    it('leave the mids of a CDN together with the delivery service', async () => {
      const other = await net.made('/cdns', { name: 'next-door', domainName: 'next-door.example' })
      const body = await net.serviceBody('moving', { midHeaderRewrite: 'rm-header Y' })
      const { id } = await net.made('/deliveryservices', body)
      expect(await located('hdr_rw_mid_moving.config')).to.have.length(1)
      await app.ok('PUT', `/api/1.2/deliveryservices/${id}`, { ...body, cdnId: other.id })
      expect(await located('hdr_rw_mid_moving.config')).to.deep.equal([])
    })

    it('stay while another server of the profile carries the delivery service', async () => {
      const { id } = await net.addService('shared', { edgeHeaderRewrite: 'rm-header X' })
      const [one, two] = [await net.addServer(), await net.addServer()]
      await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [one.id, two.id] })
      await app.ok('DELETE', `/api/1.2/deliveryservice_server/${id}/${one.id}`)
      expect(await located('hdr_rw_shared.config')).to.have.length(1)
    })

    it('go with the last server of the profile', async () => {
      const { id } = await net.addService('alone', { edgeHeaderRewrite: 'rm-header X' })
      const server = await net.addServer()
      await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [server.id] })
      expect(await located('hdr_rw_alone.config')).to.have.length(1)
      await app.ok('DELETE', `/api/1.2/servers/${server.id}`)
      expect(await located('hdr_rw_alone.config')).to.deep.equal([])
    })

    it('follow a server to another profile', async () => {
      const { id } = await net.addService('followed', { edgeHeaderRewrite: 'rm-header X' })
      const profile = await net.made('/profiles', {
        name: 'NEXT',
        description: 'next',
        type: 'ATS_PROFILE',
        cdn: net.ids.cdn,
      })
      const body = await net.serverBody()
      const server = await net.made('/servers', body)
      await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [server.id] })
      await app.ok('PUT', `/api/1.2/servers/${server.id}`, { ...body, profileId: profile.id })
      expect(await located('hdr_rw_followed.config')).to.deep.equal([['/etc/cache', ['NEXT']]])
    })
  })

  describe('patterns', () => {
    it('are added, changed and removed, but never the last one', async () => {
      const { id } = await net.addService('patterns')
      const path = `/api/1.2/deliveryservices/${id}/regexes`
      const type = await net.typeId('PATH_REGEXP')
      const { body } = await app.ok('POST', path, { type, pattern: '/a/.*', setNumber: 1 })
      expect(body.response).to.include({ type, typeName: 'PATH_REGEXP', pattern: '/a/.*', setNumber: 1 })
      const [first, second] = await get(path)
      expect(first).to.deep.include({ typeName: 'HOST_REGEXP', setNumber: '0', pattern: '.*\\.patterns\\..*' })
      await app.ok('PUT', `${path}/${second.id}`, { type, pattern: '/b/.*', setNumber: 2 })
      expect((await get(`${path}/${second.id}`))[0]).to.include({ pattern: '/b/.*', setNumber: '2' })
      await app.ok('DELETE', `${path}/${second.id}`)
      expect((await refusal('DELETE', `${path}/${first.id}`))[1]).to.equal(
        'A delivery service must have at least one regex.',
      )
      const other = await net.addService('others')
      expect((await app.request('GET', `/api/1.2/deliveryservices/${other.id}/regexes/${first.id}`)).status).to.equal(
        404,
      )
    })

    it('must be regular expressions of a type for them', async () => {
      const { id } = await net.addService('bad-patterns')
      const path = `/api/1.2/deliveryservices/${id}/regexes`
      const type = await net.typeId('HOST_REGEXP')
      expect((await refusal('POST', path, { type, pattern: '(', setNumber: 1 }))[0]).to.equal(400)
      expect((await refusal('POST', path, { type: await net.typeId('EDGE'), pattern: 'a', setNumber: 1 }))[0]).to.equal(
        400,
      )
    })

    it('are listed for all delivery services, to operators', async () => {
      const all = await get('/api/1.2/deliveryservices_regexes')
      expect(all.find(({ dsName }: { dsName: string }) => dsName === 'patterns').regexes[0]).to.deep.equal({
        type: 'HOST_REGEXP',
        pattern: '.*\\.patterns\\..*',
        setNumber: '0',
      })
      const reader = await app.as('read-only')
      expect((await reader.request('GET', '/api/1.2/deliveryservices_regexes')).status).to.equal(403)
    })
  })

  describe('assignment', () => {
    it('works from both sides and names who is eligible', async () => {
      const { id } = await net.addService('sides')
      const [one, two] = [await net.addServer({ hostName: 'side-1' }), await net.addServer({ hostName: 'side-2' })]
      const names = async (path: string) => (await get(path)).map(({ hostName }: { hostName: string }) => hostName)
      const base = `/api/1.3/deliveryservices/${id}`
      await app.ok('POST', `/api/1.3/servers/${one.id}/deliveryservices?replace=true`, [id])
      expect(await names(`${base}/servers`)).to.deep.equal(['side-1'])
      expect(await names(`${base}/unassigned_servers`))
        .to.include('side-2')
        .and.not.include('side-1')
      expect(await names(`${base}/servers/eligible`)).to.include.members(['side-1', 'side-2'])
      await app.ok('POST', '/api/1.3/deliveryservices/sides/servers', { serverNames: ['side-2'] })
      expect(await names(`${base}/servers`)).to.deep.equal(['side-2'])
      expect((await get(`/api/1.2/servers/${two.id}/deliveryservices`))[0]).to.include({ xmlId: 'sides' })
      expect(
        (await get(`/api/1.2/servers?dsId=${id}`)).map(({ hostName }: { hostName: string }) => hostName),
      ).to.include('side-2')
      await app.ok('POST', `/api/1.3/servers/${two.id}/deliveryservices?replace=true`, [])
      expect(await names(`${base}/servers`)).to.deep.equal([])
      expect((await refusal('DELETE', `/api/1.2/deliveryservice_server/${id}/${two.id}`))[0]).to.equal(404)
    })

    it('goes to all caches of a cache group at once', async () => {
      const { id } = await net.addService('grouped')
      const path = `/api/1.2/cachegroups/${net.ids.edgeGroup}/deliveryservices`
      const { response, alerts } = (await app.ok('POST', path, { deliveryServices: [id] })).body
      expect(response).to.deep.include({ id: net.ids.edgeGroup, deliveryServices: [id] })
      expect(response.serverNames).to.include('side-1')
      expect(alerts[0].text).to.equal(
        `Delivery services successfully assigned to all the servers of cache group ${net.ids.edgeGroup}.`,
      )
      const mids = `/api/1.2/cachegroups/${net.ids.midGroup}/deliveryservices`
      expect((await refusal('POST', mids, { deliveryServices: [id] }))[0]).to.equal(400)
    })

    it('refuses mids, other CDNs and what does not exist', async () => {
      const { id } = await net.addService('refused')
      const mid = await net.addServer({ typeId: await net.typeId('MID'), cachegroupId: net.ids.midGroup })
      const post = (dsId: unknown, servers: unknown) =>
        refusal('POST', '/api/1.2/deliveryserviceserver', { dsId, servers })
      expect((await post(id, [mid.id]))[0]).to.equal(400)
      expect((await post(id, [99_999]))[0]).to.equal(400)
      expect((await post(99_999, []))[0]).to.equal(400)
      expect((await post(id, 'all'))[0]).to.equal(400)
      const { id: cdnId } = await net.made('/cdns', { name: 'apart', domainName: 'apart.example' })
      const apart = await net.addService('apart', { cdnId })
      const edge = await net.addServer()
      expect((await post(apart.id, [edge.id]))[0]).to.equal(400)
      await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [edge.id] })
      const asMid = { ...edge, type: undefined, typeId: await net.typeId('MID') }
      expect((await refusal('PUT', `/api/1.3/servers/${edge.id}`, asMid))[0]).to.equal(400)
    })

    it('is listed by pages', async () => {
      const listed = (await app.ok('GET', '/api/1.3/deliveryserviceserver?limit=2&page=2&orderby=server')).body
      expect(listed).to.include({ limit: 2, size: 2, orderby: 'server' })
      expect(listed.response).to.have.length(2)
    })
  })

  it('has an origin with parts, whoever writes it', async () => {
    const { id } = await net.addService('parts')
    const { value } = app.service.services.committer.rehearse(system, (transaction) =>
      ['two\nlines', 'http://a.example/path', 'http://a b'].map((orgServerFqdn) =>
        transaction.tryUpdate('deliveryServices', id, { orgServerFqdn }).faults.map(({ path }) => path),
      ),
    )
    expect(value).to.deep.equal([['orgServerFqdn'], ['orgServerFqdn'], ['orgServerFqdn']])
  })

  it('takes its origins along to another tenant', async () => {
    const made = async (name: string) =>
      (await app.ok('POST', '/api/1.3/tenants', { name, parentId: 1, active: true })).body.response.id
    const [from, to] = [await made('giving'), await made('taking')]
    const [giving, taking] = [
      await app.as('operations', { tenant: 'giving' }),
      await app.as('operations', { tenant: 'taking' }),
    ]
    const { id } = await net.addService('given', { tenantId: from })
    const body = await net.serviceBody('given', { tenantId: to, orgServerFqdn: 'http://moved.example' })
    await app.ok('PUT', `/api/1.3/deliveryservices/${id}`, body)
    const seenBy = async (client: Client) => (await client.ok('GET', '/api/1.3/origins')).body.response
    expect(await seenBy(giving)).to.deep.equal([])
    expect((await seenBy(taking))[0]).to.include({ name: 'given', fqdn: 'moved.example', tenant: 'taking' })
  })

  it('has a history that other branches do not see', async () => {
    const own = (await app.ok('POST', '/api/1.3/tenants', { name: 'inland', parentId: 1, active: true })).body.response
    const inside = await app.as('operations', { tenant: 'inland' })
    const theirs = await net.addService('foreign', { remapText: '@plugin=foreign.so' })
    const mine = await net.addService('inner', { tenantId: own.id })
    await app.ok('DELETE', `/api/1.3/deliveryservices/${theirs.id}`)
    const changed = async (client: Client) => {
      const entries = (await client.ok('GET', '/api/1.3/changes?limit=1000')).body.response
      return JSON.stringify(entries.map(({ changes }: { changes: object }) => changes))
    }
    expect(await changed(app))
      .to.contain('foreign.so')
      .and.contain('foreign\\\\..*')
    expect(await changed(inside)).not.to.match(/"foreign|foreign.so|foreign\\/)
    expect(await changed(inside))
      .to.contain(`"id":${mine.id}`)
      .and.contain('"inner"')
  })

  it('belongs to a tenant: other branches do not see it', async () => {
    const { id: tenantId } = await net.made('/tenants', { name: 'branch', active: true, parentId: 1 })
    await net.made('/tenants', { name: 'beside', active: true, parentId: 1 })
    const { id } = await net.addService('tenanted', { tenantId })
    const inside = await app.as('operations', { tenant: 'branch' })
    const outside = await app.as('operations', { tenant: 'beside' })
    const names = async (client: typeof inside) =>
      (await client.ok('GET', '/api/1.2/deliveryservices')).body.response.map(({ xmlId }: { xmlId: string }) => xmlId)
    expect(await names(inside)).to.deep.equal(['tenanted'])
    expect(await names(outside)).to.deep.equal([])
    const carrier = await net.addServer({ hostName: 'carrier' })
    await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: id, servers: [carrier.id] })
    for (const [client, seen] of [
      [inside, 1],
      [outside, 0],
    ] as const) {
      expect((await client.ok('GET', `/api/1.2/servers?dsId=${id}&hostName=carrier`)).body.response).to.have.length(
        seen,
      )
      const details = (await client.ok('GET', '/api/1.2/servers/hostname/carrier/details')).body.response
      expect(details.deliveryservices).to.have.length(seen)
    }
    for (const path of ['', '/regexes', '/servers', '/servers/eligible']) {
      expect((await outside.request('GET', `/api/1.2/deliveryservices/${id}${path}`)).status, path).to.equal(403)
    }
    expect((await outside.request('DELETE', `/api/1.2/deliveryservices/${id}`)).status).to.equal(403)
    const mine = await outside.request('POST', '/api/1.2/deliveryservices', await net.serviceBody('mine', { tenantId }))
    expect(mine.status).to.equal(403)
    const own = await outside.ok('POST', '/api/1.2/deliveryservices', await net.serviceBody('own'))
    expect(own.body.response[0].tenant).to.equal('beside')
  })
})
