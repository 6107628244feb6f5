import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Algorithm, DsRecord } from '../../api/operations/keys/dnskey.js'
import type { DnssecKey, Terms, ZoneKeys } from '../../api/operations/keys/dnssec.js'
import {
  current,
  hasZone,
  KeysRefused,
  makeCdnKeys,
  makeZoneKeys,
  termsLike,
  zoneOfDomain,
  zoneOfHost,
} from '../../api/operations/keys/dnssec.js'
import { presentDnssecKeys } from '../../api/operations/keys/dnssecPresent.js'
import { createKeyMaker } from '../../api/operations/keys/keyMaker.js'
import { inFolder, needTools, run } from './tools.js'

const makeRsa = createKeyMaker()
const now = Math.floor(Date.now() / 1000)
const terms = (changes: Partial<Terms> = {}): Terms => ({
  ttl: 60,
  kskExpirationDays: 365,
  zskExpirationDays: 30,
  now,
  effectiveDate: now,
  algorithm: 5,
  ...changes,
})
const decoded = (base64: string) => Buffer.from(base64, 'base64').toString()
const cdn = { key: 'demo', zone: 'cdn.example.net.' }
const news = { key: 'news', zone: 'news.cdn.example.net.' }

describe('DNSSEC keys', () => {
  let made: Map<string, ZoneKeys>
  before(async () => {
    made = await makeCdnKeys({ cdn, services: [news], previous: new Map() }, terms(), makeRsa)
  })

  it('are made for the CDN and each service', () => {
    expect([...made.keys()]).to.deep.equal(['demo', 'news'])
    const { zsk, ksk } = made.get('news')!
    expect(zsk).to.have.length(1)
    expect(decoded(zsk[0]!.public)).to.match(/^news\.cdn\.example\.net\.\t60\tIN\tDNSKEY\t256 3 5 [\w+/=]{170,180}\n$/)
    expect(decoded(ksk[0]!.public)).to.match(/^news\.cdn\.example\.net\.\t60\tIN\tDNSKEY\t257 3 5 [\w+/=]{340,350}\n$/)
    expect(decoded(zsk[0]!.private)).to.match(/^Private-key-format: v1\.2\nAlgorithm: 5 \(RSASHA1\)\nModulus: /)
    expect(zsk[0]).to.include({ inceptionDate: now, effectiveDate: now, expirationDate: now + 30 * 86_400 })
    expect(ksk[0]).to.include({ name: news.zone, ttl: 60, status: 'new', expirationDate: now + 365 * 86_400 })
  })

  it('carry a DS record only where the parent zone is not ours', () => {
    expect(made.get('demo')!.ksk[0]!.dsRecord).to.include({ algorithm: 5, digestType: 2 })
    for (const key of [made.get('demo')!.zsk[0]!, made.get('news')!.zsk[0]!, made.get('news')!.ksk[0]!])
      expect(key).to.not.have.property('dsRecord')
  })

  it('are refused for a service named like its CDN', async () => {
    const twin = { key: 'demo', zone: 'demo.cdn.example.net.' }
    const failure = await makeCdnKeys({ cdn, services: [twin], previous: new Map() }, terms(), makeRsa).catch((e) => e)
    expect(failure).to.be.instanceOf(KeysRefused)
    expect(failure.message).to.include('named demo like its CDN')
  })

  describe('rolled over', () => {
    const roll = (previous: ZoneKeys, changes: Partial<Terms>) =>
      makeZoneKeys({ zone: cdn.zone, delegated: true, previous }, terms(changes), makeRsa)
    const statuses = (keys: readonly DnssecKey[]) => keys.map(({ status }) => status)

    it('keep the previous set until the new one takes effect, and no older one', async () => {
      const first = made.get('demo')!
      const second = await roll(first, { now: now + 100, effectiveDate: now + 5000 })
      expect(statuses(second.ksk)).to.deep.equal(['new', 'existing'])
      expect(second.ksk[1]).to.deep.equal({ ...first.ksk[0], status: 'existing', expirationDate: now + 5000 })
      expect(second.zsk[1]!.private).to.equal(first.zsk[0]!.private)

      const third = await roll(second, { now: now + 6000, effectiveDate: now + 6000 })
      expect(statuses(third.zsk)).to.deep.equal(['new', 'existing'])
      expect(third.zsk[1]!.public).to.equal(second.zsk[0]!.public)
    })

    it('keep the set in force when the one to replace it had not taken effect yet', async () => {
      const first = made.get('demo')!
      const pending = await roll(first, { now: now + 100, effectiveDate: now + 50_000 })
      const sooner = await roll(pending, { now: now + 200, effectiveDate: now + 300 })
      expect(sooner.ksk.map((key) => key.public)).to.include(first.ksk[0]!.public)
      expect(sooner.ksk[1]).to.include({ status: 'existing', expirationDate: now + 300 })
    })

    it('do not revive what has expired', async () => {
      const late = now + 31 * 86_400
      const { zsk } = await roll(made.get('demo')!, { now: late, effectiveDate: late })
      expect(zsk[1]!.expirationDate).to.equal(now + 30 * 86_400)
    })

    it('drop the keys of a zone that was renamed', async () => {
      const moved = await makeZoneKeys(
        { zone: 'cdn.example.org.', delegated: true, previous: made.get('demo')! },
        terms(),
        makeRsa,
      )
      expect(moved.ksk).to.have.length(1)
    })

    it('are refused when the clock went back behind the previous ones', async () => {
      const failure = await roll(made.get('demo')!, { now: now - 60, effectiveDate: now - 60 }).catch((e) => e)
      expect(failure).to.be.instanceOf(KeysRefused)
      expect(failure.message).to.include('the clock says is yet to come')
    })
  })

  it('of a service added later follow those of the CDN', () => {
    expect(termsLike(made.get('demo')!, now + 10)).to.deep.equal(terms({ now: now + 10, effectiveDate: now + 10 }))
  })

  describe('as versions answer them', () => {
    it('up to 1.2: one object each, text for numbers', () => {
      const { demo, news } = presentDnssecKeys['1.1'](made)
      expect(demo!.ksk).to.have.all.keys(
        ...['name', 'ttl', 'inceptionDate', 'effectiveDate', 'expirationDate', 'public', 'private', 'dsRecord'],
      )
      expect(demo!.ksk).to.include({ name: 'cdn.example.net.', ttl: '60', inceptionDate: String(now) })
      expect(demo!.ksk.dsRecord).to.include({ algorithm: '5', digestType: '2' })
      expect(news!.ksk).to.not.have.property('dsRecord')
    })

    it('from 1.3: the arrays routers read', () => {
      const { demo } = presentDnssecKeys['1.3'](made)
      expect(demo!.zsk).to.be.an('array').with.length(1)
      expect(demo!.zsk[0]).to.include({ name: 'cdn.example.net.', ttl: 60, effectiveDate: now, status: 'new' })
    })

    it('for a service with a name that objects treat differently', async () => {
      const odd = new Map([['__proto__', made.get('news')!]])
      expect(Object.keys(presentDnssecKeys['1.3'](odd))).to.deep.equal(['__proto__'])
    })
  })

  it('belong to zones named after domains and hosts', () => {
    expect(zoneOfDomain('CDN.example.net')).to.equal('cdn.example.net.')
    expect(zoneOfHost('tr.news.cdn.example.net')).to.equal('news.cdn.example.net.')
    expect(['HTTP', 'HTTP_LIVE', 'DNS_LIVE_NATNL', 'ANY_MAP', 'STEERING', 'CLIENT_STEERING'].map(hasZone)).to.eql([
      ...[true, true, true],
      ...[false, false, false],
    ])
  })

  it('do not keep the main thread from its work while they are made', async () => {
    let turns = 0
    let busy = true
    const count = () => {
      turns++
      if (busy) setImmediate(count)
    }
    setImmediate(count)
    await Promise.all(Array.from({ length: 8 }, () => makeRsa(1024)))
    busy = false
    expect(turns).to.be.greaterThan(100)
  })

  for (const algorithm of [5, 8] as const) proveWithOthers(algorithm)
})

/** What independent programs say of keys we made. */
function proveWithOthers(algorithm: Algorithm) {
  describe(`with algorithm ${algorithm}, seen by others`, () => {
    let keys: ZoneKeys
    before(async () => {
      keys = await makeZoneKeys({ zone: cdn.zone, delegated: true, previous: null }, terms({ algorithm }), makeRsa)
    })

    it('dnssec-dsfromkey computes the same DS record', async function () {
      needTools(this, ['dnssec-dsfromkey'], 'bind9-utils')
      await inFolder(async (folder) => {
        const { ksk } = await keyFiles(folder, keys)
        expectSameDs(await run('dnssec-dsfromkey', ['-2', ksk], folder), keys)
      })
    })

    it('ldns-key2ds computes the same DS record', async function () {
      needTools(this, ['ldns-key2ds'], 'ldnsutils')
      await inFolder(async (folder) => {
        const { ksk } = await keyFiles(folder, keys)
        expectSameDs(await run('ldns-key2ds', ['-n', '-2', `${ksk}.key`], folder), keys)
      })
    })

    it('dnssec-signzone signs a zone with them and dnssec-verify accepts it', async function () {
      needTools(this, ['dnssec-signzone', 'dnssec-verify'], 'bind9-utils')
      await inFolder(async (folder) => {
        const { ksk, zsk } = await keyFiles(folder, keys)
        const zone = await zoneFile(folder, keys)
        await run('dnssec-signzone', ['-o', cdn.zone, '-k', ksk, '-f', 'signed', zone, zsk], folder)
        await run('dnssec-verify', ['-o', cdn.zone, 'signed'], folder)
      })
    })

    it('ldns-signzone signs a zone with them and ldns-verify-zone accepts it', async function () {
      needTools(this, ['ldns-signzone', 'ldns-verify-zone'], 'ldnsutils')
      await inFolder(async (folder) => {
        const { ksk, zsk } = await keyFiles(folder, keys)
        const zone = await zoneFile(folder, keys)
        await run('ldns-signzone', ['-o', cdn.zone, '-f', 'signed', zone, zsk, ksk], folder)
        await run('ldns-verify-zone', ['signed'], folder)
      })
    })

    it('dnssec-signzone refuses private keys that are not those of the zone', async function () {
      needTools(this, ['dnssec-signzone', 'dnssec-verify'], 'bind9-utils')
      const other = await makeZoneKeys({ zone: cdn.zone, delegated: true, previous: null }, terms(), makeRsa)
      await inFolder(async (folder) => {
        const { ksk } = await keyFiles(folder, keys)
        await writeFile(join(folder, `${ksk}.private`), decoded(current(other.ksk).private))
        const { zsk } = await keyFiles(folder, { ksk: other.ksk, zsk: keys.zsk })
        const zone = await zoneFile(folder, keys)
        const args = ['-o', cdn.zone, '-k', ksk, '-f', 'signed', zone, zsk]
        const failure = await run('dnssec-signzone', args, folder).catch((error) => error)
        expect(failure).to.be.instanceOf(Error)
      })
    })
  })
}

/** Lays the keys out as tools look for them: `K<zone>+<algorithm>+<tag>.key` and `.private`. */
async function keyFiles(folder: string, keys: ZoneKeys) {
  const names = { ksk: '', zsk: '' }
  for (const kind of ['ksk', 'zsk'] as const) {
    const key = current(keys[kind])
    const line = decoded(key.public)
    const algorithm = line.split(/[\t ]/)[6]!
    await writeFile(join(folder, 'unnamed.key'), line)
    const tag = kind === 'ksk' ? key.dsRecord!.keyTag : await tagOf(line)
    names[kind] = `K${cdn.zone}+${algorithm.padStart(3, '0')}+${String(tag).padStart(5, '0')}`
    await writeFile(join(folder, `${names[kind]}.key`), line)
    await writeFile(join(folder, `${names[kind]}.private`), decoded(key.private))
  }
  return names
}

/** The key tag by the other definition of RFC 4034, one byte at a time over the record's data. */
async function tagOf(line: string): Promise<number> {
  const [flags, protocol, algorithm, key] = line.trim().split('\t')[4]!.split(' ')
  const data = Buffer.concat([
    Buffer.of(Number(flags) >> 8, Number(flags) & 255, Number(protocol), Number(algorithm)),
    Buffer.from(key!, 'base64'),
  ])
  let sum = 0
  for (let at = 0; at < data.length; at++) sum += at & 1 ? data[at]! : data[at]! * 256
  return (sum + Math.floor(sum / 65_536)) & 0xffff
}

async function zoneFile(folder: string, keys: ZoneKeys): Promise<string> {
  const records = [
    '$TTL 60',
    `${cdn.zone} IN SOA ns.${cdn.zone} admin.${cdn.zone} 1 28800 7200 604800 30`,
    `${cdn.zone} IN NS ns.${cdn.zone}`,
    `ns.${cdn.zone} IN A 192.0.2.1`,
    `edge.${cdn.zone} IN AAAA 2001:db8::1`,
    decoded(current(keys.ksk).public).trim(),
    decoded(current(keys.zsk).public).trim(),
    '',
  ]
  await writeFile(join(folder, 'zone'), records.join('\n'))
  return 'zone'
}

function expectSameDs(said: string, keys: ZoneKeys) {
  const [keyTag, algorithm, digestType, ...digest] = said
    .replace(/^.*\bDS\s+/, '')
    .trim()
    .split(/\s+/)
  const ours: DsRecord = current(keys.ksk).dsRecord!
  expect({ keyTag, algorithm, digestType, digest: digest.join('').toUpperCase() }).to.deep.equal({
    keyTag: String(ours.keyTag),
    algorithm: String(ours.algorithm),
    digestType: '2',
    digest: ours.digest,
  })
}
