import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { readSettings } from '../../api/config/settings.js'
import { backupText } from '../../api/operations/backup/backup.js'
import { BackupDamaged, checkBackup, partsOf } from '../../api/operations/backup/format.js'
import { restoreStore } from '../../api/store/open.js'
import type { Entry, LoggedLine, Store, StoredRecord } from '../../api/store/store.js'
import { StoreRefused } from '../../api/store/store.js'
import { vaultKeyText } from '../vaultKey.js'
import { created, deleted, entryAt, replay, sorted, updated } from './entries.js'
import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'
import type { Place } from './places.js'
import { embeddedPlace, mongoPlace } from './places.js'

const secrets = { SESSION_SECRET: 'a secret of the tests', VAULT_KEY: vaultKeyText }

/** Everything of a store, as somebody who uses it sees it. */
async function seen(store: Store) {
  const base = await store.base()
  const blobs = (await store.listBlobs()).sort()
  const bytes: string[] = []
  for (const key of blobs) bytes.push(Buffer.from((await store.getBlob(key))!).toString('base64'))
  const log: LoggedLine[] = await store.log({ limit: 10_000 })
  return {
    base,
    loaded: sorted(await store.load()),
    entries: await store.entriesAfter(base, 10_000),
    log,
    blobs,
    bytes,
  }
}

const awkward: readonly StoredRecord[] = [
  { id: 1, text: 'nul \0, line\n, quote " and \u2028', list: [[1, [2]], []] },
  { id: 2, 'dotted.key': 1, $set: { $inc: 2 }, lone: '\ud800', pair: '\u{1f600}' },
  JSON.parse('{"id": 3, "__proto__": {"polluted": true}, "_id": 5, "rev": 1, "gone": true, "json": "{}"}'),
]

function someEntries(): Entry[] {
  const large = { id: 4, text: 'x'.repeat(13_000_000) }
  const gone = { id: 9, name: 'gone' }
  return [
    entryAt(1, { changes: [...awkward.map((record) => created('cdns', record)), created('types', gone)] }),
    entryAt(2, { changes: [created('cdns', large)], user: 'ad\0min' }),
    entryAt(3, { changes: [deleted('types', gone), created('snapshots', { id: 1, manifest: 'm', packs: ['p'] })] }),
    entryAt(4, { changes: [], log: [{ level: 'OPER', message: 'nothing\n', ticketNum: '7' }] }),
    ...[5, 6, 7].map((revision) => entryAt(revision, { changes: [created('servers', { id: revision })] })),
    entryAt(8, { changes: [updated('servers', { id: 7 }, { id: 7, name: 'b' })] }),
  ]
}

async function filled(place: Place): Promise<Store> {
  const store = await place.open()
  await store.putBlob({ hash: 'm', bytes: new Uint8Array([0, 1, 255]) })
  await store.putBlob({ hash: 'p', bytes: Buffer.alloc(5_000_000, 'every byte counts ') })
  await store.putBlob({ hash: 'none', bytes: new Uint8Array() })
  await store.append(someEntries())
  await store.settled()
  return store
}

async function backedUp(store: Store, file: string): Promise<void> {
  let text = ''
  for await (const piece of backupText({ store, vaultKey: null, now: () => new Date() })) text += piece
  writeFileSync(file, file.endsWith('.gz') ? gzipSync(text) : text)
}

describe('backup of a store', function () {
  this.timeout(300_000)
  let folder: string
  let server: MongodbServer | null = null
  const open: { store: Store; place: Place }[] = []
  /** Filled once: what is asked of each is first the whole, then what is left of it when it was trimmed. */
  const sources = new Map<string, { store: Store; place: Place }>()
  before(async function () {
    this.timeout(600_000)
    server = await startMongodbServer()
  })
  after(async () => {
    for (const { store, place } of sources.values()) {
      await store.close()
      await place.remove()
    }
    await server?.remove()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-backup-'))
  })
  afterEach(async () => {
    for (const { store, place } of open.splice(0)) {
      await store.close()
      await place.remove()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const kinds = {
    embedded: () => {
      const place = embeddedPlace()
      return { place, settings: readSettings({ DATA_DIR: place.directory }) }
    },
    MongoDB: () => {
      const place = mongoPlace(server!.uri)
      return { place, settings: readSettings({ MONGODB_URI: place.uri, ...secrets }) }
    },
  }
  const keep = (store: Store, place: Place): Store => {
    open.push({ store, place })
    return store
  }

  const sourceOf = async (kind: keyof typeof kinds): Promise<Store> => {
    const { place } = sources.get(kind) ?? kinds[kind]()
    if (!sources.has(kind)) sources.set(kind, { store: await filled(place), place })
    return sources.get(kind)!.store
  }

  for (const from of ['embedded', 'MongoDB'] as const) {
    for (const trimmed of [0, 3]) {
      for (const to of ['embedded', 'MongoDB'] as const) {
        it(`goes from ${from} to ${to}, ${trimmed ? 'trimmed' : 'whole'}`, async function () {
          if (!server && (from === 'MongoDB' || to === 'MongoDB')) this.skip()
          const store = await sourceOf(from)
          if (trimmed > 0) await store.trim(trimmed)
          const file = join(folder, trimmed ? 'a.gz' : 'a')
          await backedUp(store, file)
          const before = await seen(store)

          const target = kinds[to]()
          expect(await restoreStore(target.settings, { force: false }, partsOf(file))).to.deep.equal({
            revision: 8,
            records: before.loaded.records.length,
            entries: 8 - trimmed,
            blobs: 3,
          })
          const other = keep(await target.place.open(), target.place)
          expect(await seen(other)).to.deep.equal(before)
          expect(before.loaded).to.deep.equal(replay(someEntries()))
          expect(await other.append([entryAt(9, { changes: [created('types', { id: 10 })] })])).to.equal(1)
          await other.settled()
          expect((await other.load()).lastIds.types).to.equal(10)
          await other.trim(8)
          expect((await other.load()).records).to.have.length(before.loaded.records.length + 1)

          const again = await restoreStore(target.settings, { force: false }, partsOf(file)).catch((error) => error)
          expect(again).to.be.instanceOf(StoreRefused)
        })
      }
    }
  }

  it('is of one revision although writes go on', async () => {
    const { place, settings } = kinds.embedded()
    const store = keep(await place.open(), place)
    const entries: Entry[] = []
    const write = async (): Promise<void> => {
      const revision = entries.length + 1
      const before = revision > 40 ? { id: 1, n: revision - 1 } : null
      const entry = entryAt(revision, {
        changes: [
          created('cdns', { id: revision, text: 'x'.repeat(2000) }),
          { kind: 'types', id: 1, before, after: { id: 1, n: revision } },
        ],
      })
      entries.push(entry)
      await store.append([entry])
    }
    while (entries.length < 400) await write()
    let isDone = false
    const writing = (async () => {
      while (!isDone) await write()
    })()
    const file = join(folder, 'busy')
    await backedUp(store, file)
    isDone = true
    await writing
    const target = kinds.embedded()
    const { revision } = await restoreStore(target.settings, { force: false }, partsOf(file))
    expect(revision).to.be.within(400, entries.length)
    expect(entries.length).to.be.greaterThan(revision)
    const other = keep(await target.place.open(), target.place)
    expect(sorted(await other.load())).to.deep.equal(replay(entries.slice(0, revision)))
    expect(await other.entriesAfter(0, 100_000)).to.deep.equal(entries.slice(0, revision))
    expect(settings.dataDir).to.equal((place as ReturnType<typeof embeddedPlace>).directory)
  })

  it('is refused when one byte of it differs, or any of it is missing, before anything is written', async () => {
    const { place } = kinds.embedded()
    const store = keep(await place.open(), place)
    await store.putBlob({ hash: 'm', bytes: Buffer.from('content') })
    await store.append(Array.from({ length: 30 }, (_, index) => entryAt(index + 1)))
    const file = join(folder, 'a.gz')
    await backedUp(store, file)
    const packed = readFileSync(file)
    const plain = gunzipSync(packed)
    await checkBackup(file)
    for (const [name, whole] of Object.entries({ packed, plain })) {
      for (let round = 0; round < 150; round++) {
        const at = Math.floor(Math.random() * whole.length)
        const damaged = Buffer.from(whole)
        if (round % 3 !== 0) damaged[at] = damaged[at]! ^ (1 << (round % 8))
        writeFileSync(file, round % 3 === 0 ? whole.subarray(0, at) : damaged)
        const outcome = await checkBackup(file).then(
          () => null,
          (error: unknown) => error,
        )
        // Some bytes of a gzip header mean nothing: its time, its system.
        if (name === 'packed' && at < 10 && outcome === null) continue
        expect(outcome, `${name}: round ${round} at ${at}`).to.be.instanceOf(BackupDamaged)
        expect((outcome as Error).message)
          .to.contain(file)
          .and.to.not.contain('\n')
      }
    }
  })
})
