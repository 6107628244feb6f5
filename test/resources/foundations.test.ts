import { expect } from 'chai'
import { recordKinds } from '../../api/records/kinds/index.js'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

/** A record that belongs to nobody, and what an operator may want each of its fields to be. */
interface Shared {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly others: Readonly<Record<string, unknown>>
}

/**
 * Operators of every tenant run the machines, and change what belongs to nobody. By some of its fields they would change
 * what records of other tenants are: those are for whoever reaches them all.
 */
describe('what records of other tenants stand on', () => {
  let app: TestServer
  let net: Network
  let operator: Client
  let shared: Readonly<Record<string, Shared>>
  let service: number
  let tenants: { readonly theirs: number; readonly own: number }

  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    const tenant = async (name: string) => (await net.made('/tenants', { name, active: true, parentId: 1 })).id
    tenants = { theirs: await tenant('theirs'), own: await tenant('own') }
    operator = await app.as('operations', { tenant: 'own' })
    const coordinate = { name: 'harbour', latitude: 1, longitude: 2 }
    const coordinateId = (await net.made('/coordinates', coordinate)).id
    const profile = { name: 'ORG', description: 'of an origin', type: 'ORG_PROFILE', cdn: net.ids.cdn }
    const profileId = (await net.made('/profiles', profile)).id
    const group = { name: 'origins', shortName: 'o', typeName: 'ORG_LOC', latitude: 1, longitude: 2 }
    const cachegroupId = (await net.made('/cachegroups', group)).id
    service = (await net.addService('news', { tenantId: tenants.theirs, profileId })).id
    const places = { cachegroupId, coordinateId, profileId, tenantId: tenants.theirs }
    const origin = { name: 'news-2', fqdn: 'news.example', protocol: 'http', deliveryServiceId: service }
    await net.made('/origins', { ...origin, ...places })
    const typeId = await net.typeId('HTTP')
    const { name, description, useInTable } = (await app.ok('GET', `/api/1.3/types/${typeId}`)).body.response[0]
    shared = {
      cdns: {
        path: `cdns/${net.ids.cdn}`,
        body: { name: 'net', domainName: 'net.example', dnssecEnabled: false },
        others: { name: 'another', domainName: 'another.example', dnssecEnabled: true },
      },
      types: {
        path: `types/${typeId}`,
        body: { name, description, useInTable },
        others: { name: 'HTTP_2', description: 'another', useInTable: 'regex' },
      },
      profiles: {
        path: `profiles/${profileId}`,
        body: profile,
        others: { name: 'ORG_2', description: 'another', type: 'UNK_PROFILE', cdn: null, routingDisabled: true },
      },
      cachegroups: {
        path: `cachegroups/${cachegroupId}`,
        body: group,
        others: {
          name: 'another',
          shortName: 'another',
          latitude: 3,
          longitude: 3,
          localizationMethods: ['CZ'],
          fallbackToClosest: false,
          parentCachegroupId: net.ids.midGroup,
          secondaryParentCachegroupId: net.ids.midGroup,
        },
      },
      coordinates: {
        path: `coordinates?id=${coordinateId}`,
        body: coordinate,
        others: { name: 'another', latitude: 3, longitude: 3 },
      },
    }
  })
  after(() => app.close())

  /** Roles are the root tenant's altogether. */
  const ofRoot = ['roles']

  it('is looked at whole: every kind that one of theirs refers to', () => {
    const own = recordKinds.filter(({ tenant }) => tenant)
    const referred = new Set(own.flatMap(({ fields }) => Object.values(fields).map(({ notes }) => notes.ref)))
    const nobodys = recordKinds.filter(({ kind, tenant }) => !tenant && referred.has(kind)).map(({ kind }) => kind)
    const unlisted = nobodys.filter((kind) => !(kind in shared) && !ofRoot.includes(kind) && kind !== 'servers')
    expect(unlisted, 'each wants an entry above, and a decision').to.deep.equal([])
    for (const { kind, defines = [] } of recordKinds)
      if (defines.length > 0) expect(shared, `${kind} defines what others are`).to.have.property(kind)
  })

  it('is changed by operators of other tenants where it runs machines, and not where it defines their records', async () => {
    const wrong: string[] = []
    for (const [kind, { path, body, others }] of Object.entries(shared)) {
      const { defines = [] } = recordKinds.find((one) => one.kind === kind)!
      for (const [field, value] of Object.entries(others)) {
        const put = (client: Client) =>
          client.request('PUT', `/api/1.3/${path}${path.includes('?') ? '&' : '?'}dryRun=true`, {
            ...body,
            [field]: value,
          })
        const answer = await put(operator)
        const isRefused = answer.status === 403 && answer.body.alerts[0].text.startsWith(`${field}: the `)
        if (isRefused !== defines.includes(field)) wrong.push(`${kind}.${field}: ${answer.text}`)
        if (/news|theirs/.test(answer.text)) wrong.push(`${kind}.${field} tells ${answer.text}`)
        if ((await put(app)).status === 403) wrong.push(`${kind}.${field} is refused to the root tenant`)
      }
    }
    expect(wrong).to.deep.equal([])
  })

  it('is as it was when something else of it is changed, and belongs to whoever reaches all that stands on it', async () => {
    const { path, body } = shared.cdns!
    await operator.ok('PUT', `/api/1.3/${path}`, body)
    const free = await net.made('/cdns', { name: 'free', domainName: 'free.example', dnssecEnabled: false })
    const rename = { name: 'free', domainName: 'freed.example', dnssecEnabled: false }
    await operator.ok('PUT', `/api/1.3/cdns/${free.id}`, rename)
    await net.addService('mine', { tenantId: tenants.own, cdnId: free.id })
    await operator.ok('PUT', `/api/1.3/cdns/${free.id}`, { ...rename, dnssecEnabled: true })
    await net.addService('late', { tenantId: tenants.theirs, cdnId: free.id })
    const { status, body: said } = await operator.request('PUT', `/api/1.3/cdns/${free.id}`, rename)
    expect(status).to.equal(403)
    expect(said.alerts).to.deep.equal([
      { level: 'error', text: 'dnssecEnabled: the cdn is used by deliveryServices of other tenants' },
    ])
  })

  it('gives nobody their hosts: by a domain under a pattern that was there before, or by what a pattern is for', async () => {
    const cdn = await net.made('/cdns', { name: 'trap', domainName: 'trap.example', dnssecEnabled: false })
    await net.addService('sport', { tenantId: tenants.theirs, cdnId: cdn.id })
    const mine = await net.addService('lurker', { tenantId: tenants.own, cdnId: cdn.id })
    const type = await net.typeId('HOST_REGEXP')
    const regexes = `/api/1.3/deliveryservices/${mine.id}/regexes`
    // Nobody's, as long as the CDN is called as it is.
    await operator.ok('POST', regexes, { pattern: '.*\\.taken\\.example', type, setNumber: 1 })
    const domain = { name: 'trap', domainName: 'taken.example', dnssecEnabled: false }
    expect((await operator.request('PUT', `/api/1.3/cdns/${cdn.id}`, domain)).status).to.equal(403)
    const of = { name: 'ONCE_HOST_REGEXP', description: 'none', useInTable: 'regex' }
    expect((await operator.request('PUT', `/api/1.3/types/${type}`, of)).status).to.equal(403)
  })
})
