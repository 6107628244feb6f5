import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import type { Store } from '../../api/store/store.js'
import { StoreUnavailable } from '../../api/store/store.js'
import { openTables } from '../../api/store/tables.js'
import { childArguments } from '../childArguments.js'

import { stormEntry } from './storm.js'

describe('an embedded store on a full disk', function () {
  this.timeout(120_000)
  let disk: string
  let mounted = false
  before(function () {
    disk = mkdtempSync(join(tmpdir(), 'edgewright-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { stdio: 'ignore' })
      mounted = true
    } catch {
      console.log('    SKIPPED: a small disk cannot be mounted without the right to')
      this.skip()
    }
  })
  after(() => {
    if (mounted) execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  it('takes an entry of thousands of changes with all of its records, or not at all', async () => {
    const ballast = join(disk, 'ballast')
    const open = (): Promise<Store> => openEmbedded({ dataDir: join(disk, 'data') })
    let store = await open()
    let head = 0
    const counts = { taken: 0, refused: 0, left: 0 }
    for (let left = 0; left < 40; left++) {
      rmSync(ballast, { force: true })
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left * 400_000)))
      const outcome = await store.append([stormEntry(head + 1, true)]).catch((error: unknown) => error)
      if (outcome === 1) {
        head += 1
        counts.taken += 1
      } else {
        expect(outcome).to.be.instanceOf(StoreUnavailable)
        counts.refused += 1
      }
      // While the disk is as full as it is: what was taken needs nothing more, and a start neither.
      await store.close()
      for (const revision of await revisionsOfChunks(join(disk, 'data'))) {
        if (revision > head) counts.left += 1
      }
      store = await open()
      expect((await store.load()).revision).to.equal(head)
    }
    await store.close()
    expect(counts.taken, JSON.stringify(counts)).to.be.greaterThan(0)
    expect(counts.refused, JSON.stringify(counts)).to.be.greaterThan(0)
    expect(counts.left, JSON.stringify(counts)).to.equal(0)
  })

  it('is refused in one line where there is no room for the file that says who reads it, as after a restore', async () => {
    const dataDir = join(disk, 'restored')
    const ballast = join(disk, 'ballast')
    rmSync(ballast, { force: true })
    const store = await openEmbedded({ dataDir })
    await store.append([stormEntry(1, false)])
    await store.close()
    rmSync(join(dataDir, 'store.mdb-lock'))
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    const backup = () =>
      spawnSync(process.execPath, [...childArguments('api/main'), 'backup', '-'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        encoding: 'utf8',
      })
    const full = backup()
    expect(full.signal ?? full.status, full.stderr).to.equal(1)
    expect(full.stderr).to.match(/^edgewright: The data directory .* cannot be used: ENOSPC.*\n$/)
    rmSync(ballast)
    const roomy = backup()
    expect(roomy.signal ?? roomy.status, roomy.stderr).to.equal(0)
  })
})

/** Of what revisions there are chunks in a store that nobody has open. */
async function revisionsOfChunks(dataDir: string): Promise<number[]> {
  const tables = openTables(join(dataDir, 'store.mdb'))
  const revisions = [...tables.chunks.getKeys()].map(([revision]) => revision)
  await tables.close()
  return revisions
}
