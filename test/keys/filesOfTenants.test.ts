import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import type { Caller } from '../interface/callers.js'
import { everyCaller, may } from '../interface/callers.js'
import type { Records } from '../interface/tenantRecords.js'
import { ownersRecords, reaching } from '../interface/tenantRecords.js'
import { sampleServer } from '../sampleServer.js'

/** Keys also come out as config files: of those, too, only for who reaches the delivery service. */
describe('config files that hold keys', () => {
  let server: TestServer
  let records: Records
  let callers: ReadonlyMap<string, Caller>
  before(async function () {
    this.timeout(120_000)
    server = await sampleServer()
    records = await ownersRecords(server)
    callers = await everyCaller(server)
  })
  after(() => server.close())

  const forms = (): string[] =>
    ['url_sig_zzhttp.config', 'uri_signing_zztarget.config'].flatMap((file) =>
      ['ats', 'cachesw'].flatMap((segment) =>
        ['', '?explain=true', '?wait=0s&wait=0s', '?x=1'].map(
          (query) => `/api/1.2/profiles/${records.profile}/configfiles/${segment}/${file}${query}`,
        ),
      ),
    )

  for (const order of ['who may first', 'who may not first']) {
    it(`are for those with the role who reach the service, ${order}`, async () => {
      const wrong: string[] = []
      const all = [...callers]
      const bySight = all.toSorted((a, b) => Number(reads(a[1])) - Number(reads(b[1])))
      for (const path of forms()) {
        for (const [name, caller] of order === 'who may first' ? bySight.toReversed() : bySight) {
          const { status, text } = await caller.client.get(path)
          const expected = caller.tenant === null ? 401 : reads(caller) ? 200 : 403
          if (status !== expected) wrong.push(`${name} ${path}: ${status}, not ${expected}`)
          if (expected !== 200 && records.keys.some((key) => text.includes(key))) wrong.push(`${name} ${path} tells`)
        }
      }
      expect(wrong).to.deep.equal([])
    }).timeout(120_000)
  }

  it('are all of the files in which keys are', async () => {
    const stranger = callers.get('operations of software-vendor')!.client
    const secrets = await keysOfOthers(server)
    const wrong: string[] = []
    let refused = 0
    for (const host of ['edge-chi-01', 'edge-nyc-01', 'mid-us-east-01']) {
      const { configFiles } = (await server.ok('GET', `/api/1.2/servers/${host}/configfiles/ats`)).body
      for (const { apiUri } of configFiles as { apiUri?: string }[]) {
        if (apiUri === undefined) continue
        const whole = (await server.ok('GET', apiUri)).text
        const isKeys = secrets.some((key) => whole.includes(key))
        const { status, text } = await stranger.get(apiUri)
        if (status !== (isKeys ? 403 : 200)) wrong.push(`${apiUri}: ${status}`)
        if (secrets.some((key) => text.includes(key))) wrong.push(`${apiUri} tells`)
        if (isKeys) refused++
      }
    }
    expect(wrong).to.deep.equal([])
    expect(refused).to.be.greaterThan(1)
  }).timeout(60_000)

  it('are no longer for those whose the service was, nor is what was kept for them', async () => {
    const path = `/api/1.2/profiles/${records.profile}/configfiles/ats/url_sig_zzhttp.config`
    const client = callers.get('operations of media-house')!.client
    const stranger = callers.get('operations of software-vendor')!.client
    const statuses = async () => [await status(client, path), await status(stranger, path)]
    expect(await statuses()).to.deep.equal([200, 403])
    const move = async (name: string) => {
      const [service] = (await server.ok('GET', `/api/1.3/deliveryservices/${records.http}`)).body.response
      const tenantId = (await server.ok('GET', `/api/1.3/tenants?name=${name}`)).body.response[0].id
      await server.ok('PUT', `/api/1.3/deliveryservices/${records.http}`, { ...service, tenantId })
    }
    await move('software-vendor')
    expect(await statuses()).to.deep.equal([403, 200])
    await move('media-house')
    expect(await statuses()).to.deep.equal([200, 403])
  })

  it('are for the token of a server, as far as its user reaches', async () => {
    const path = `/api/1.2/profiles/${records.profile}/configfiles/ats/url_sig_zzhttp.config`
    for (const [name, expected] of [
      ['ort of root', 200],
      ['operations of root', 200],
      ['ort of software-vendor', 403],
    ] as const) {
      const { client } = callers.get(name)!
      const scopes = ['config:read:server=edge-chi-01']
      const { token } = (await client.ok('POST', '/api/1.3/tokens', { description: 'agent', scopes })).body.response
      const answer = await server.anonymous.get(path, { authorization: `Bearer ${token}` })
      expect(answer.status, name).to.equal(expected)
    }
  })
})

/** A part of every key of every delivery service that is not the vendor's. */
async function keysOfOthers(server: TestServer): Promise<string[]> {
  const services = (await server.ok('GET', '/api/1.3/deliveryservices')).body.response as Service[]
  const found: string[] = []
  for (const { xmlId, tenant } of services) {
    if (tenant === 'software-vendor') continue
    const at = `/api/1.3/deliveryservices/xmlId/${xmlId}`
    const urlKeys = (await server.ok('GET', `${at}/urlkeys`)).body.response as { key0?: string }
    const document = (await server.ok('GET', `/api/1.3/deliveryservices/${xmlId}/urisignkeys`)).text
    const uriKeys = [...document.matchAll(/"k":\s*"([^"]+)"/g)].map(([, key]) => key)
    const { certificate } = (await server.ok('GET', `${at}/sslkeys`)).body.response
    found.push(...[urlKeys.key0, ...uriKeys, certificate?.key.slice(100, 160)].filter((key) => key !== undefined))
  }
  return found
}

interface Service {
  readonly xmlId: string
  readonly tenant: string
}

const reads = ({ role, tenant }: Caller): boolean =>
  may.agent.includes(role) && tenant !== null && reaching.includes(tenant)

const status = async (client: Client, path: string): Promise<number> => (await client.get(path)).status
