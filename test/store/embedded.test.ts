import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import { StoreRefused } from '../../api/store/store.js'
import { childArguments } from '../childArguments.js'
import { entryAt } from './entries.js'
import { embeddedPlace } from './places.js'

const child = childArguments('test/store/stormChild')

describe('data directory', () => {
  let place: ReturnType<typeof embeddedPlace>

  beforeEach(() => {
    place = embeddedPlace()
  })
  afterEach(() => place.remove())

  async function refusal(dataDir: string): Promise<string> {
    const outcome = await openEmbedded({ dataDir }).catch((error: unknown) => error)
    expect(outcome).to.be.instanceOf(StoreRefused)
    return (outcome as StoreRefused).message
  }

  it('is made where it is missing, for its owner only', async () => {
    const dataDir = join(place.directory, 'a', 'b')
    const store = await openEmbedded({ dataDir })
    expect(statSync(dataDir).mode & 0o777).to.equal(0o700)
    await store.close()
  })

  it('may have a name with dots, spaces and umlauts, and a very long path', async () => {
    for (const name of ['data.d', 'my dätä', 'l'.repeat(200)]) {
      const dataDir = join(place.directory, name)
      const store = await openEmbedded({ dataDir })
      expect(await store.append([entryAt(1)])).to.equal(1)
      expect(await refusal(dataDir)).to.include('in use')
      await store.close()
    }
  })

  it('is refused when it is a file, lies under one, or cannot be made', async () => {
    const file = join(place.directory, 'file')
    writeFileSync(file, '')
    for (const dataDir of [file, join(file, 'under'), '/proc/edgewright', join(place.directory, 'x'.repeat(300))]) {
      const message = await refusal(dataDir)
      expect(message).to.include(dataDir).and.include('cannot be used')
    }
  })

  it('is refused when something else lies where the store should', async () => {
    mkdirSync(join(place.directory, 'store.mdb'))
    expect(await refusal(place.directory)).to.include(place.directory)
  })

  it('is refused when its store is none, or only the beginning of one', async () => {
    const file = join(place.directory, 'store.mdb')
    writeFileSync(file, 'no database at all '.repeat(1000))
    expect(await refusal(place.directory)).to.include('is not a store')
    rmSync(file)

    const store = await place.open()
    for (let revision = 1; revision < 50; revision++) await store.append([entryAt(revision)])
    await store.close()
    const whole = readFileSync(file)
    for (const length of [1, 100, 4096, 8192, 40_000]) {
      writeFileSync(file, whole.subarray(0, length))
      expect(await refusal(place.directory)).to.match(/is not a store|is cut off|is damaged/)
    }
    writeFileSync(file, whole)
    await (await place.open()).close()
    writeFileSync(file, '')
    expect(await refusal(place.directory))
      .to.include('is empty')
      .and.include('edgewright restore')
    rmSync(file)
    expect(await refusal(place.directory))
      .to.include('is gone')
      .and.include('edgewright restore')
  })

  it('is rid of what a restore left beside the store that was cut short', async () => {
    const dataDir = join(place.directory, 'restored')
    await (await openEmbedded({ dataDir })).close()
    for (const name of ['restoring.mdb', 'restoring.mdb-lock']) writeFileSync(join(dataDir, name), 'half')
    const store = await openEmbedded({ dataDir })
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restoring'))).to.deep.equal([])
    await store.close()
  })

  it('belongs to one process at a time; the message names the directory and the process', async () => {
    const storm = spawn(process.execPath, [...child, 'embedded', place.directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(createInterface({ input: storm.stdout }), 'line')
    const message = await refusal(place.directory)
    expect(message).to.include(place.directory).and.include(`pid ${storm.pid}`)

    storm.kill('SIGSTOP')
    expect(await refusal(place.directory), 'one that is stopped still holds it').to.include(`pid ${storm.pid}`)

    storm.kill('SIGKILL')
    await once(storm, 'exit')
    const store = await place.open()
    expect(await store.head()).to.be.at.least(0)
    await store.close()
    expect(readdirSync(place.directory)).to.have.members(['store.mdb', 'store.mdb-lock'])
  })

  it('belongs to one store at a time within a process, and is free again once closed', async () => {
    const store = await place.open()
    expect(await refusal(place.directory)).to.include(`pid ${process.pid}`)
    await store.close()
    await (await place.open()).close()
  })

  it('goes to at most one of many who start together', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => place.open()))
    const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(opened.length).to.be.at.most(1)
    for (const store of opened) await store.close()
    await (await place.open()).close()
  })
})
