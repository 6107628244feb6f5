import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import type { Store } from '../../api/store/store.js'
import { StoreRefused } from '../../api/store/store.js'
import { seededRandom } from '../seededRandom.js'
import { entryAt, sorted } from './entries.js'

/**
 * Damages copies of a store, one way each, and says how each is started with: a line per round,
 * `<seed> <what> same|refused|other <message>`. A process that dies says nothing more.
 */
const [whole, folder, first, rounds] = process.argv.slice(2) as [string, string, string, string]
const head = 200

const seen = async (store: Store) => JSON.stringify(sorted(await store.load()))

/** What is read only when somebody asks: a row that is damaged is refused, never another one. */
async function history(store: Store): Promise<string[]> {
  const input: (() => Promise<unknown>)[] = [
    async () => store.entriesAfter(await store.base(), 10_000),
    () => store.log({ limit: 10_000 }),
    async () =>
      Promise.all(
        (await store.listBlobs()).map(async (key) => [key, Buffer.from((await store.getBlob(key))!).toString('hex')]),
      ),
  ]
  const said: string[] = []
  for (const ask of input)
    said.push(
      await ask().then(JSON.stringify, (error) => {
        if (error instanceof StoreRefused) return 'refused'
        throw error
      }),
    )
  return said
}

function damage(file: string, random: () => number): string {
  const bytes = readFileSync(file)
  const pages = bytes.length / 4096
  // The file is larger than what LMDB uses of it.
  const used = Math.min(
    pages,
    Math.max(Number(bytes.readBigUInt64LE(144)), Number(bytes.readBigUInt64LE(4096 + 144))) + 1,
  )
  const page = Math.floor(random() * (random() < 0.2 ? Math.min(used, 8) : used))
  const kind = Math.floor(random() * 5)
  if (kind === 0) {
    const length = Math.floor(random() * used * 4096)
    truncateSync(file, length)
    return `cut to ${length}`
  }
  if (kind === 1) bytes.fill(0, page * 4096, (page + 1) * 4096)
  else if (kind === 2) for (let at = 0; at < 4096; at++) bytes[page * 4096 + at] = Math.floor(random() * 256)
  else if (kind === 3) bytes.copy(bytes, page * 4096, Math.floor(random() * used) * 4096, 0)
  else {
    const at = page * 4096 + Math.floor(random() * (random() < 0.5 ? 200 : 4096))
    bytes[at] = bytes[at]! ^ (1 + Math.floor(random() * 255))
    writeFileSync(file, bytes)
    return `flipped ${at}`
  }
  writeFileSync(file, bytes)
  return `${['', 'zeroed', 'filled', 'copied over'][kind]} page ${page}`
}

mkdirSync(folder, { recursive: true })
const intact = await openEmbedded({ dataDir: whole })
const expected = await seen(intact)
const expectedHistory = await history(intact)
await intact.close()

for (let seed = Number(first); seed < Number(first) + Number(rounds); seed++) {
  const dataDir = join(folder, `store-${seed}`)
  mkdirSync(dataDir)
  const file = join(dataDir, 'store.mdb')
  copyFileSync(join(whole, 'store.mdb'), file)
  const what = damage(file, seededRandom(seed))
  process.stdout.write(`${seed} ${what} `)
  try {
    const store = await openEmbedded({ dataDir })
    try {
      const loaded = await seen(store)
      const past = await history(store)
      const isSame = loaded === expected && past.every((text, at) => text === 'refused' || text === expectedHistory[at])
      // What is written now must not go astray in what was damaged.
      const wrote = (await store.append([entryAt(head + 1)])) === 1
      await store.close()
      const again = await openEmbedded({ dataDir })
      const grown = (await again.load()).records.length
      await again.close()
      process.stdout.write(isSame && wrote && grown > 0 ? 'same\n' : 'other\n')
    } finally {
      await store.close().catch(() => undefined)
    }
  } catch (error) {
    if (!(error instanceof StoreRefused)) process.stdout.write(`other ${(error as Error).stack?.replace(/\n/g, ' ')}\n`)
    else process.stdout.write(`refused ${error.message}\n`)
  }
  rmSync(dataDir, { recursive: true, force: true })
}
