import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import { bytesWithoutSum, bytesWithSum, StoreDamaged, withoutSum, withSum } from '../../api/store/rowCheck.js'
import { childArguments } from '../childArguments.js'
import { created, entryAt, updated } from './entries.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'
const child = childArguments('test/store/damageChild')

/** A store of which anything may have been lost: it is what it was, or it is refused in one line that says what to do. */
describe('a damaged data directory', function () {
  this.timeout(1_800_000)
  const rounds = nightly ? 5000 : 250
  let folder: string
  let whole: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-damage-'))
    whole = join(folder, 'whole')
    const store = await openEmbedded({ dataDir: whole })
    for (let revision = 1; revision <= 200; revision++) {
      const record = { id: revision, name: `cdn-${revision}`, text: 'x'.repeat((revision * 37) % 900) }
      const changes = [created('cdns', record)]
      if (revision % 3 === 0) changes.push(updated('cdns', { id: revision - 1 }, { id: revision - 1, name: 'changed' }))
      if (revision % 50 === 0) changes.push(created('large', { id: revision, text: 'y'.repeat(30_000) }))
      await store.append([entryAt(revision, { changes })])
      if (revision % 40 === 0) await store.putBlob({ hash: `blob ${revision}`, bytes: Buffer.alloc(9000, revision) })
    }
    await store.trim(60)
    await store.deleteBlobs(['blob 40'])
    await store.close()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it(`is served as it was, or refused, in ${rounds} ways of being damaged`, () => {
    const counts = { same: 0, refused: 0 }
    const first = nightly ? Math.floor(Math.random() * 1e9) : 1
    for (let seed = first; seed < first + rounds; seed += 250) {
      const args = [...child, whole, join(folder, 'copies'), String(seed), '250']
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      })
      const lines = stdout.trimEnd().split('\n')
      expect(signal ?? status, `${lines.at(-1)} ${stderr}`).to.equal(0)
      expect(lines).to.have.length(250)
      for (const line of lines) {
        const [, outcome, message = ''] = /^\d+ .*? (same|refused|other)(?: (.*))?$/.exec(line) ?? []
        expect(outcome, line).to.be.oneOf(['same', 'refused'])
        if (outcome === 'refused') expect(message, line).to.contain('edgewright restore')
        counts[outcome as 'same'] += 1
      }
    }
    expect(counts.refused, JSON.stringify(counts)).to.be.greaterThan(rounds / 3)
    expect(counts.same, JSON.stringify(counts)).to.be.greaterThan(rounds / 50)
  })
})

describe('a row of which the key was damaged', () => {
  // What LMDB's keys can come to when a bit of them is lost.
  const keys = [2n ** 60n, ['servers', 2n ** 60n], Symbol('x'), null, true, Buffer.from('x')]

  it('is refused as damaged, whatever sort of key it has now', () => {
    for (const key of keys) {
      expect(() => withoutSum('records', key, withSum('records', 7, '{}'))).to.throw(StoreDamaged)
      expect(() => bytesWithoutSum(key, bytesWithSum('7', Buffer.from('x')))).to.throw(StoreDamaged)
    }
  })
})
