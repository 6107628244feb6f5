import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { makeSampleCertificates } from '../api/demo/certificates.js'
import { makeSampleSnapshots } from '../api/demo/snapshots.js'
import type { DecidedTransaction, Transaction } from '../api/journal/transaction.js'
import type { Finding } from '../api/operations/check/finding.js'
import type { Kind } from '../api/schema/data.js'
import { findOne } from '../api/schema/data.js'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

describe('the check of a CDN', () => {
  let server: TestServer
  before(async () => {
    server = await buildServer({}, 'sample')
    await makeSampleCertificates(server.service.services)
    await makeSampleSnapshots(server.service.services)
  })
  after(() => server.close())

  const check = async (cdn = 'stream'): Promise<{ serves: boolean; findings: Finding[] }> =>
    (await server.ok('GET', `/api/1.3/cdns/${cdn}/check`)).body.response
  const errors = async (cdn?: string) => (await check(cdn)).findings.filter(({ level }) => level === 'error')
  const write = async <T>(decide: (transaction: Transaction) => T): Promise<T> => {
    const who = { user: system, requestId: randomUUID() }
    return (await server.service.services.committer.write(who, decide)).value
  }
  /** Changes records without what follows from it. Resolves to what takes all of it back. */
  const edit = async (change: (transaction: Transaction) => void) => {
    const changes = await write((transaction) => {
      transaction.withoutEffects(() => change(transaction))
      transaction.log('edited by a test')
      return (transaction as DecidedTransaction).changes
    })
    return () =>
      write((transaction) =>
        transaction.withoutEffects(() => {
          for (const { kind, id, before, after } of changes.toReversed()) {
            if (before === null) transaction.remove(kind as Kind, id)
            else if (after === null) transaction.tryCreate(kind, { ...before }, id)
            else transaction.tryUpdate(kind, id, { ...before })
          }
          transaction.log('taken back by a test')
        }),
      )
  }
  const data = () => server.service.services.data
  const service = (xmlId: string) => findOne(data(), 'deliveryServices', 'xmlId', xmlId)!.id
  const cdnNamed = (name: string) => findOne(data(), 'cdns', 'name', name)!.id
  /** Takes parameters away from a profile. */
  const unlinked = (profileName: string, configFile: string, name: string) => (edits: Transaction) => {
    const { id } = findOne(data(), 'profiles', 'name', profileName)!
    for (const one of edits.data.by('parameters', 'profileFile', `${id}/${configFile}`)) {
      if (one.name !== name) continue
      edits.update('parameters', one.id, { profiles: one.profiles.filter((other) => other !== id) })
    }
  }
  const certificate = (xmlId: string, values: object | null) => (edits: Transaction) => {
    for (const { id } of [...edits.data.by('sslKeys', 'deliveryServiceId', service(xmlId))]) {
      if (values === null) edits.remove('sslKeys', id)
      else edits.update('sslKeys', id, values)
    }
  }
  const changed = (xmlId: string, values: object) => (edits: Transaction) =>
    void edits.update('deliveryServices', service(xmlId), values)
  const signedElsewhere = (edits: Transaction) => {
    const cdnId = cdnNamed('classic')
    edits.update('cdns', cdnId, { dnssecEnabled: true })
    const keys = [{ status: 'new', expirationDate: 4_000_000_000 }]
    const sealed = server.service.services.vault.seal(JSON.stringify({ ksk: keys, zsk: keys }))
    const zone = 'former.example.net.'
    edits.create('dnssecKeys', { cdnId, deliveryServiceId: null, ofCdnItself: true, zone, sealed })
  }
  const withoutMonitors = (edits: Transaction) => {
    const statusId = findOne(data(), 'statuses', 'name', 'OFFLINE')!.id
    const monitor = findOne(data(), 'types', 'name', 'RASCAL')!.id
    for (const { id } of [...edits.data.by('servers', 'typeId', monitor)]) edits.update('servers', id, { statusId })
  }
  const withoutTargets = (edits: Transaction) => {
    const targets = edits.data.by('steeringTargets', 'deliveryServiceId', service('player'))
    for (const { id } of [...targets]) edits.remove('steeringTargets', id)
  }
  const withoutEdges = (edits: Transaction) => {
    for (const id of [...edits.data.ids('deliveryServiceServers', 'deliveryServices', service('vod'))]) {
      const { deliveryServices } = edits.data.get('deliveryServiceServers', id)!
      const rest = deliveryServices.filter((one) => one !== service('vod'))
      edits.update('deliveryServiceServers', id, { deliveryServices: rest })
    }
  }

  it('finds nothing that keeps the demo from serving all of its services, and its snapshots are there', async () => {
    for (const cdn of ['stream', 'classic']) {
      const { serves, findings } = await check(cdn)
      expect([cdn, serves]).to.deep.equal([cdn, true])
      const codes = new Set(findings.map(({ code }) => code))
      expect([...codes].sort()).to.deep.equal(['address-unknown', 'placeholder-address'])
      expect((await server.ok('GET', `/CRConfig-Snapshots/${cdn}/CRConfig.json`)).body.stats.CDN_name).to.equal(cdn)
      const alerts = (await server.ok('PUT', `/api/1.3/snapshot/${cdn}`)).body.alerts
      expect(alerts.map(({ level }: { level: string }) => level)).to.deep.equal(['success', 'info'])
    }
  })

  it('warns of two values for one name, and says which counts', async () => {
    const second = (profile: string, configFile: string, name: string) =>
      write((edits) => {
        const { id } = findOne(data(), 'profiles', 'name', profile)!
        return edits.create('parameters', { name, configFile, value: 'another', secure: false, profiles: [id] }).id
      })
    const made = [
      await second('GLOBAL', 'global', 'tm.toolname'),
      await second('CCR_STREAM', 'CRConfig.json', 'coveragezone.polling.url'),
    ]
    const found = (await check()).findings.filter(({ code }) => code === 'repeated-parameter')
    expect(found.map(({ text }) => text.replace(/\d+/g, 'N'))).to.deep.equal([
      'Profile GLOBAL has two values of tm.toolname, parameters N and N; the newest counts.',
      'Profile CCR_STREAM has two values of coveragezone.polling.url, parameters N and N; the oldest counts.',
    ])
    await edit((edits) => {
      for (const id of made) edits.update('parameters', id, { profiles: [] })
    })
  })

  it('is for operators', async () => {
    expect((await (await server.as('read-only')).get('/api/1.3/cdns/stream/check')).status).to.equal(403)
    expect((await server.get('/api/1.3/cdns/nowhere/check')).status).to.equal(404)
  })

  type Row = readonly [code: string, names: RegExp, change: (edits: Transaction) => void, cdn?: string]
  const routes = (name: string) => unlinked('CCR_STREAM', 'CRConfig.json', name)
  /** What routers and caches refuse: told by snapshots, too. */
  const refused: readonly Row[] = [
    ['https-without-certificate', /vod/, certificate('vod', null)],
    ['certificate-expired', /vod ended on 2020-01-02/, certificate('vod', { expires: '2020-01-02T00:00:00.000Z' })],
    ['certificate-for-another-host', /vod is for \*\.a\.b/, certificate('vod', { hostname: '*.a.b.example.net' })],
    ['http-only-target', /player .* trailers/, changed('trailers', { protocol: 0 })],
    ['steering-without-target', /player/, withoutTargets],
    ['missing-router-setting', /packages .*regional_geoblock/, routes('regional_geoblock.polling.url')],
    ['no-remap-config', /edge-.* EDGE_ATS9/, unlinked('EDGE_ATS9', 'remap.config', 'location')],
    ['no-remap-config', /mid-.* MID_ATS9/, unlinked('MID_ATS9', 'remap.config', 'location')],
    ['no-parent-config', /mid-.* MID_ATS7/, unlinked('MID_ATS7', 'parent.config', 'location'), 'classic'],
  ]
  /** What else keeps clients from being served. */
  const others: readonly Row[] = [
    ['no-monitor', /stream has no monitor/, withoutMonitors],
    ['missing-setting', /coveragezone\.polling\.url/, routes('coveragezone.polling.url')],
    ['no-health-url', /EDGE_ATS9/, unlinked('EDGE_ATS9', 'rascal.properties', 'health.polling.url')],
    [
      'dnssec-without-keys',
      /classic/,
      (edits) => void edits.update('cdns', cdnNamed('classic'), { dnssecEnabled: true }),
      'classic',
    ],
    ['dnssec-keys-of-another-domain', /classic .* former\.example\.net\./, signedElsewhere, 'classic'],
    ['signing-without-keys', /members/, (edits) => edits.remove('urlSigKeys', service('members')), 'classic'],
    ['service-without-edge', /vod/, withoutEdges],
    ['no-snapshot', /classic/, (edits) => edits.remove('activeSnapshots', cdnNamed('classic')), 'classic'],
  ]
  for (const [isTold, rows] of [
    [true, refused],
    [false, others],
  ] as const) {
    for (const [code, names, change, cdn = 'stream'] of rows) {
      it(`finds ${code}${isTold ? ', as a snapshot does' : ''}: ${names.source}`, async () => {
        const undo = await edit(change)
        const [found] = (await errors(cdn)).filter((finding) => finding.code === code)
        expect(found?.text).to.match(names)
        expect(found?.fix).to.match(/^[A-Z].*\.$/)
        if (isTold) {
          const { alerts } = (await server.ok('PUT', `/api/1.3/snapshot/${cdn}?dryRun=true`)).body
          const texts = alerts.map(({ text }: { text: string }) => text)
          expect(texts).to.include(`${code}: ${found?.text} ${found?.fix}`)
        }
        await undo()
        expect((await errors(cdn)).map((finding) => finding.code)).to.deep.equal([])
      })
    }
  }
})
