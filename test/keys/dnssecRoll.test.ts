import { expect } from 'chai'
import type { DnssecKey, ZoneKeys } from '../../api/operations/keys/dnssec.js'
import { createDnssecKeeper } from '../../api/operations/keys/dnssecKeeper.js'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { smallNetwork } from '../resources/smallNetwork.js'

const day = 86_400
const start = Date.parse('2026-06-01T00:00:00Z') / 1000
const body = { key: 'net', name: 'net.example', ttl: 60, kskExpirationDays: 365, zskExpirationDays: 30 }

describe('DNSSEC keys that end soon', () => {
  let app: TestServer
  let clock = start
  before(async () => {
    app = await buildServer({ now: () => new Date(clock * 1000) })
    const net = await smallNetwork(app)
    await net.addService('news')
    const signed = { name: 'net', domainName: 'net.example', dnssecEnabled: true }
    await app.ok('PUT', `/api/1.3/cdns/${net.ids.cdn}`, signed)
    await app.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', body)
    await app.service.services.dnssec.idle()
  })
  after(() => app.close())

  const keysOf = (zone: string): ZoneKeys => {
    const { data, vault } = app.service.services
    return JSON.parse(vault.unseal(data.all('dnssecKeys').find((keys) => keys.zone === zone)!.sealed))
  }
  const zones = ['net.example.', 'news.net.example.']
  /** What the hourly look comes to on a day after the keys were made. */
  const lookedAfter = async (days: number) => {
    clock = start + days * day
    const { dnssec } = app.service.services
    dnssec.checkAll()
    await dnssec.idle()
    return zones.map(keysOf)
  }
  const signsAt = (keys: readonly DnssecKey[], at: number) =>
    keys.filter(({ effectiveDate, expirationDate }) => effectiveDate <= at && at < expirationDate)

  it('are left alone while they last', async () => {
    const before = zones.map(keysOf)
    expect(await lookedAfter(26)).to.deep.equal(before)
  })

  it('get successors before they end, one instance making them, and stay until those have long counted', async () => {
    const before = zones.map(keysOf)
    clock = start + 27.5 * day
    // As another instance would, with the same store.
    const { dnssec, ...parts } = app.service.services
    const other = createDnssecKeeper({ ...parts })
    dnssec.checkAll()
    other.checkAll()
    await Promise.all([dnssec.idle(), other.idle()])
    for (const [at, { zsk, ksk }] of zones.map(keysOf).entries()) {
      expect(ksk).to.deep.equal(before[at]!.ksk)
      const [made, old, ...more] = zsk
      expect(more).to.deep.equal([])
      expect(old).to.deep.equal({ ...before[at]!.zsk[0], status: 'existing' })
      expect(made).to.include({ status: 'new', inceptionDate: clock, ttl: 60, name: zones[at] })
      expect(made!.effectiveDate).to.be.within(clock + day, old!.expirationDate - day)
      expect(made!.expirationDate - made!.effectiveDate).to.equal(30 * day)
      for (let time = clock; time < start + 57 * day; time += day / 4) expect(signsAt(zsk, time)).not.to.have.length(0)
    }
    const admin = await app.login(app.admin.username, app.admin.password)
    const lines = (await admin.ok('GET', '/api/1.3/logs?limit=20')).body.response
    const rolled = lines.filter(({ message }: { message: string }) => message.startsWith('Rolled DNSSEC keys'))
    expect(rolled.map(({ message }: { message: string }) => /of (\S+)/.exec(message)?.[1]).sort()).to.deep.equal(zones)
    const after = zones.map(keysOf)
    expect(await lookedAfter(27.6)).to.deep.equal(after)
  })

  it('that sign keys stay beside their successors, whose record the parent zone is to be given', async () => {
    const before = keysOf(zones[0]!).ksk[0]!
    const [own] = await lookedAfter(340)
    const [made, old, ...more] = own!.ksk
    expect(more).to.deep.equal([])
    expect(old).to.deep.equal({ ...before, status: 'existing' })
    expect(made!.effectiveDate).to.be.within(clock + 10 * day, old!.expirationDate - 10 * day)
    expect(made!.dsRecord).to.have.keys('keyTag', 'algorithm', 'digestType', 'digest')
    expect(made!.dsRecord?.digest).not.to.equal(before.dsRecord?.digest)
    // The zone was not looked after for months: its keys signed nothing any more, and the new ones do at once.
    expect(signsAt(own!.zsk, clock)).to.have.length(1)
  })
})
