import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import type { Store } from '../../api/store/store.js'
import { StoreUnavailable } from '../../api/store/store.js'
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
    const counts = { taken: 0, refused: 0 }
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
      store = await open()
      expect((await store.load()).revision).to.equal(head)
    }
    await store.close()
    expect(counts.taken, JSON.stringify(counts)).to.be.greaterThan(0)
    expect(counts.refused, JSON.stringify(counts)).to.be.greaterThan(0)
  })
})
