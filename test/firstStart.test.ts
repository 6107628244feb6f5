import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import { openEmbedded } from '../api/store/lmdb/embedded.js'
import { childArguments } from './childArguments.js'

interface Started {
  readonly outcome: 'listens' | number | NodeJS.Signals
  readonly said: string
}

/** Whatever the first start in a data directory comes to, the next one finds nothing half-made. */
describe('a first start', function () {
  this.timeout(300_000)
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'edgewright-first-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  /**
   * @param kilobytes the size that a file may have; as on a full disk, no write goes further
   * @param killAfter milliseconds from its first write
   */
  async function start(kilobytes: number | 'unlimited' = 'unlimited', killAfter?: number): Promise<Started> {
    const command = [process.execPath, ...childArguments('api/main'), 'serve']
    // In blocks of 512 bytes, as POSIX has it.
    const limit = kilobytes === 'unlimited' ? kilobytes : kilobytes * 2
    const child = spawn('sh', ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', ...command], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        ADMIN_PASSWORD: 'a-Password-of-tests',
        WORKERS: '1',
        PORT: '0',
      },
      cwd: packageRoot,
    })
    let said = ''
    let listens = false
    if (killAfter !== undefined) {
      void (async () => {
        while (child.exitCode === null && !existsSync(dataDir)) await delay(2)
        await delay(killAfter)
        child.kill('SIGKILL')
      })()
    }
    child.stderr.on('data', (text) => (said += text))
    child.stdout.on('data', (text) => {
      if (!String(text).includes('"url"')) return
      listens = true
      child.kill('SIGKILL')
    })
    const [code, signal] = await once(child, 'close')
    return { outcome: listens ? 'listens' : (code ?? signal), said }
  }

  const kept = (name: string): string => readFileSync(join(dataDir, name), 'utf8')

  for (const kilobytes of [0, 8, 300, 5000]) {
    it(`that finds room for ${kilobytes} KB is refused in one line, and done by the next`, async () => {
      const { outcome, said } = await start(kilobytes)
      if (outcome !== 'listens') {
        expect(outcome, said).to.equal(1)
        expect(said.trim().split('\n'), said).to.have.length(1)
        expect(said).to.match(/EFBIG|file too large/i)
      }
      expect(await start()).to.include({ outcome: 'listens' })
      for (const name of ['session-secret', 'vault-key']) expect(kept(name)).to.match(/^[0-9a-f]{64}\n$/)
      expect(statSync(join(dataDir, 'session-secret')).mode & 0o777).to.equal(0o600)
      expect(readdirSync(dataDir).filter((name) => !name.startsWith('owner-'))).to.have.members([
        'session-secret',
        'store.mdb',
        'store.mdb-lock',
        'vault-key',
      ])
    })
  }

  it('that is killed at any moment is done by the next', async () => {
    for (const longest of [20, 100, 300, 900]) {
      rmSync(dataDir, { recursive: true, force: true })
      await start('unlimited', Math.random() * longest)
      const { outcome, said } = await start()
      expect(outcome, said).to.equal('listens')
    }
  })

  it('makes anew what an earlier one could not write, and signs no session with what can be guessed', async () => {
    for (const name of ['session-secret', 'vault-key']) writeFileSync(join(dataDir, name), '')
    expect(await start()).to.include({ outcome: 'listens' })
    for (const name of ['session-secret', 'vault-key']) expect(kept(name)).to.match(/^[0-9a-f]{64}\n$/)
    for (const name of ['session-secret', 'vault-key']) {
      const whole = kept(name)
      for (const damaged of ['\0'.repeat(65), 'short']) {
        writeFileSync(join(dataDir, name), damaged)
        const { outcome, said } = await start()
        expect(outcome, said).to.equal(1)
        expect(said).to.contain(join(dataDir, name)).and.to.contain('is damaged')
      }
      writeFileSync(join(dataDir, name), whole)
    }
    expect(await start()).to.include({ outcome: 'listens' })
  })

  it('that is asked to end, at whatever moment, ends with 0; its password is told or there is none', async () => {
    for (const wait of [-1, 0, 25, 100, 400, 1000]) {
      rmSync(dataDir, { recursive: true, force: true })
      mkdirSync(dataDir)
      const child = spawn(process.execPath, [...childArguments('api/main'), 'serve'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, WORKERS: '1', PORT: '0' },
        cwd: packageRoot,
      })
      let said = ''
      for (const out of [child.stdout, child.stderr]) {
        out.on('data', (text) => {
          said += text
        })
      }
      const closed = once(child, 'close')
      // Until Node has read the program, which takes most of a second, no program can hear.
      if (wait < 0) await delay(1000)
      else for (let tries = 0; tries < 2000 && readdirSync(dataDir).length === 0; tries++) await delay(5)
      await delay(Math.max(0, wait))
      const began = performance.now()
      child.kill('SIGTERM')
      const [code, signal] = await closed
      if (wait < 0 && readdirSync(dataDir).length === 0) continue
      expect(code ?? signal, `after ${wait} ms: ${said}`).to.equal(0)
      expect(performance.now() - began, `after ${wait} ms`).to.be.below(30_000)
      const isMade = existsSync(join(dataDir, 'store.mdb')) && (await headOf(dataDir)) > 0
      expect(said.includes('The administrator is'), `after ${wait} ms`).to.equal(isMade)
    }
  })
})

async function headOf(dataDir: string): Promise<number> {
  const store = await openEmbedded({ dataDir })
  const head = await store.head()
  await store.close()
  return head
}
