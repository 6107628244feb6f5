import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { drained } from '../api/flow/slices.js'
import { contents, differing } from '../api/operations/snapshots/differing.js'
import type { Prepared, Version } from '../api/operations/snapshots/frozenVersions.js'
import { Versions } from '../api/operations/snapshots/frozenVersions.js'
import type { Manifest } from '../api/operations/snapshots/packs.js'
import { hashOf, layOut, putTogether } from '../api/operations/snapshots/packs.js'
import { openEmbedded } from '../api/store/lmdb/embedded.js'
import { Budget } from '../compiler/core/budget.js'
import { diffDocuments } from '../compiler/snapshots/diff.js'
import { seededRandom } from './seededRandom.js'

const megabyte = 2 ** 20
/** 100 take about 13 MB; less is enough to see it on every change. */
const count = process.env.EDGEWRIGHT_NIGHTLY === '1' ? 100 : 25

/** A document laid out like the real one: an entry per line, about 2 kB each. */
function documentOf(entries: ReadonlyMap<string, string>): Buffer {
  const lines = [...entries].map(([name, value]) => `"${name}": ${value}`)
  return Buffer.from(`{\n"config": {"domain_name":"example.net"},\n"contentServers": {\n${lines.join(',\n')}\n}\n}\n`)
}

function entryOf(random: () => number, revision: number): string {
  const services = Array.from({ length: 40 }, () => `"service-${Math.floor(random() * 3000)}":["a.example.net"]`)
  return `{"port":${revision},"ip":"10.0.${Math.floor(random() * 256)}.1","deliveryServices":{${services.join(',')}}}`
}

const versionOf = (prepared: Prepared, documents: Readonly<Record<'CRConfig' | 'monitoring', Uint8Array>>) =>
  ({
    ...prepared,
    crConfigHash: hashOf(documents.CRConfig),
    monitoringHash: hashOf(documents.monitoring),
  }) as Version

describe('the storage of snapshot versions', () => {
  it(`keeps ${count} versions of ten megabytes that differ a little in little room`, async function () {
    this.timeout(300_000)
    const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-versions-'))
    const store = await openEmbedded({ dataDir })
    const now = new Date('2026-01-01T00:00:00Z')
    const versions = new Versions({ store, now: () => now, budget: new Budget(megabyte) })
    const random = seededRandom(7)
    const entries = new Map<string, string>()
    for (let at = 0; at < 8_500; at++) entries.set(`edge-${at}`, entryOf(random, 0))
    const frozen: { version: Version; hash: string }[] = []
    let base: Version | null = null
    for (let revision = 1; revision <= count; revision++) {
      for (let changes = 0; changes < 20; changes++) {
        const host = `edge-${Math.floor(random() * 8_600)}`
        if (random() < 0.1) entries.delete(host)
        else entries.set(host, entryOf(random, revision))
      }
      const documents = { CRConfig: documentOf(entries), monitoring: Buffer.from(`{\n"revision": ${revision}\n}\n`) }
      expect(documents.CRConfig.length).greaterThan(10 * megabyte)
      now.setSeconds(now.getSeconds() + 60)
      base = versionOf(await versions.store(1, documents, base), documents)
      frozen.push({ version: base, hash: hashOf(documents.CRConfig) })
    }
    const keys = await store.listBlobs()
    const sizes = await Promise.all(keys.map(async (key) => (await store.getBlob(key))!.length))
    const stored = sizes.reduce((sum, size) => sum + size, 0)
    expect(stored / megabyte, 'megabytes of blobs').lessThan(count === 100 ? 20 : 10)
    for (const { version, hash } of frozen.filter((_, at) => at % 8 === 0)) {
      expect(hashOf(await versions.document(version, 'CRConfig'))).equal(hash)
      expect(version.packs.length).at.most(33)
    }
    await store.close()
    rmSync(dataDir, { recursive: true })
  })

  it('gives back what was laid out, on whatever it was built', () => {
    const document = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.string({ maxLength: 3000 })), { maxLength: 60 })
      .map((lines) => Buffer.from(lines.map(([name, text]) => `${name}: ${text}`).join('\n')))
    const pair = fc.record({ CRConfig: document, monitoring: document })
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 5 }), (history) => {
        const packs = new Map<string, Uint8Array>()
        let base: Manifest | null = null
        for (const documents of history) {
          const laid = drained(layOut(documents, base, (bytes) => `${packs.size} ${hashOf(bytes)}`))
          if (laid.pack) packs.set(laid.pack.key, laid.pack.bytes)
          base = JSON.parse(JSON.stringify(laid.manifest)) as Manifest
          const unpacked = base.packs.map(([key]) => packs.get(key)!)
          for (const name of ['CRConfig', 'monitoring'] as const) {
            if (!Buffer.from(drained(putTogether(base.pieces[name], unpacked))).equals(documents[name])) return false
          }
        }
        return true
      }),
    )
  })

  it('is laid out in steps, none of more than a chunk', () => {
    const entries = new Map(Array.from({ length: 4000 }, (_, at) => [`cache-${at}`, 'x'.repeat(500)]))
    const laying = layOut({ CRConfig: documentOf(entries), monitoring: Buffer.from('{}') }, null, () => 'own')
    let steps = 1
    let step = laying.next()
    for (; !step.done; step = laying.next()) steps += 1
    expect(step.value.manifest.pieces.CRConfig.length).to.be.within(50, steps)
  })

  it('leaves what a freeze of another instance is about to name, though its clock is hours behind', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-skew-'))
    const store = await openEmbedded({ dataDir })
    try {
      let ahead = 3 * 3_600_000
      const versionsAt = (now: () => Date) => new Versions({ store, now, budget: new Budget(megabyte) })
      const behind = versionsAt(() => new Date())
      const sweeping = versionsAt(() => new Date(Date.now() + ahead))
      const bytes = Buffer.from('{\n}\n')
      const { manifest, packs } = await behind.store(1, { CRConfig: bytes, monitoring: bytes }, null)
      const nothingNamed = { all: () => [] } as unknown as Parameters<Versions['sweep']>[1]
      await sweeping.sweep([], nothingNamed)
      expect(await store.listBlobs()).to.have.members([manifest, ...packs])
      ahead += 2 * 3_600_000
      await sweeping.sweep([], nothingNamed)
      expect(await store.listBlobs()).eql([])
    } finally {
      await store.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  it('stores nothing for a version that is the same, and builds on no pack that is mostly left behind', () => {
    const random = seededRandom(3)
    const entries = new Map(Array.from({ length: 400 }, (_, at) => [`edge-${at}`, entryOf(random, 0)]))
    const monitoring = Buffer.from('{\n}\n')
    const first = drained(layOut({ CRConfig: documentOf(entries), monitoring }, null, () => 'first'))
    const second = drained(layOut({ CRConfig: documentOf(entries), monitoring }, first.manifest, () => 'second'))
    expect(second.pack).equal(null)
    expect(second.manifest).eql(first.manifest)
    for (const name of [...entries.keys()].slice(0, 300)) entries.set(name, entryOf(random, 1))
    const third = drained(layOut({ CRConfig: documentOf(entries), monitoring }, second.manifest, () => 'third'))
    expect(third.manifest.packs.map(([key]) => key)).eql(['third'])
  })

  it('compares documents by their lines as it would by their entries', () => {
    const json = fc.jsonValue({ maxDepth: 2 })
    const name = fc.string({ maxLength: 4 }).filter((text) => text !== '__proto__')
    const object = fc.dictionary(name, fc.dictionary(name, json, { maxKeys: 3 }), { maxKeys: 8 })
    const list = fc.uniqueArray(fc.record({ hostName: name.filter((text) => text !== ''), value: json }), {
      selector: (one) => one.hostName,
      maxLength: 8,
    })
    const document = fc.record({ config: fc.dictionary(name, json, { maxKeys: 3 }), servers: object, groups: list })
    const laidOut = ({ config, servers, groups }: { config: object; servers: object; groups: readonly object[] }) => {
      const named = Object.entries(servers).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      const listed = groups.map((one) => JSON.stringify(one))
      return Buffer.from(
        `{\n"config": ${JSON.stringify(config)},\n"servers": {\n${named.join(',\n')}\n},\n"groups": [\n${listed.join(',\n')}\n]\n}\n`,
      )
    }
    const page = { offset: 0, limit: 100 }
    fc.assert(
      fc.property(document, document, (a, b) => {
        const [before, after] = [laidOut(a), laidOut(b)]
        const whole = drained(diffDocuments(JSON.parse(before.toString()), JSON.parse(after.toString()), page))
        expect(drained(diffDocuments(...drained(differing(before, after)), page))).eql(whole)
        const { sections } = drained(diffDocuments({}, JSON.parse(after.toString()), page))
        expect(drained(contents(after))).eql(sections)
      }),
    )
  })
})
