import type { LRUCache } from 'lru-cache'
import type { Budget } from '../../../compiler/core/budget.js'
import { inSlices } from '../../flow/slices.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { Store } from '../../store/store.js'
import type { BlobReader } from './frozenDocument.js'
import { readDocument, readManifest } from './frozenDocument.js'
import type { DocumentName, Documents } from './packs.js'
import { compressed, hashOf, layOut } from './packs.js'

export type Version = Records['snapshots']

/** The blobs of a version that is not recorded yet. */
export interface Prepared {
  readonly manifest: string
  readonly packs: readonly string[]
}

/**
 * The stored documents of all versions. Blobs are written before the journal entry that names them: a freeze that
 * dies in between leaves blobs behind that nobody names, and `sweep` removes them.
 */
export class Versions {
  readonly #loaded: LRUCache<string, Uint8Array>
  readonly #loading = new Map<string, Promise<Uint8Array>>()
  /** When this process first saw a blob: who made it may have another clock. */
  readonly #seen = new Map<string, number>()
  readonly #blobs: BlobReader

  constructor(private readonly given: { readonly store: Store; readonly now: () => Date; readonly budget: Budget }) {
    this.#loaded = given.budget.cache('versions', { size: ({ length }) => length + 300 })
    this.#blobs = (key) => given.store.getBlob(key)
  }

  /** A frozen document without its `stats`; read from the store once, then kept. */
  async document(version: Version, name: DocumentName): Promise<Uint8Array> {
    const id = `${version.manifest} ${name}`
    const known = this.#loaded.get(id) ?? this.#loading.get(id)
    if (known) return known
    const loading = readDocument(this.#blobs, version, name).finally(() => this.#loading.delete(id))
    this.#loading.set(id, loading)
    const bytes = await loading
    this.#loaded.set(id, bytes)
    this.given.budget.trim()
    return bytes
  }

  /** Writes the blobs of a new version, storing only what the version before it does not have. */
  async store(cdnId: number, documents: Documents, base: Version | null): Promise<Prepared> {
    const known = base && (await readManifest(this.#blobs, base.manifest))
    const keyOf = (bytes: Uint8Array) => blobKey(cdnId, this.given.now(), bytes)
    const { manifest, pack } = await inSlices(layOut(documents, known, keyOf))
    if (pack) await this.given.store.putBlob({ hash: pack.key, bytes: await compressed(pack.bytes) })
    const text = Buffer.from(JSON.stringify(manifest))
    const key = keyOf(text)
    await this.given.store.putBlob({ hash: key, bytes: await compressed(text) })
    return { manifest: key, packs: manifest.packs.map(([key]) => key) }
  }

  /**
   * Deletes blobs that no version names any more: those of versions just deleted, which nobody can come to name
   * again, and those that a freeze left behind and that are seen again so long after that it cannot be under way any more.
   *
   * @param data at a revision at which the deletions are done
   */
  async sweep(deleted: readonly Version[], data: Data): Promise<number> {
    const { store, now } = this.given
    const stored = await store.listBlobs()
    const at = now().getTime()
    const there = new Set(stored)
    for (const key of there) if (!this.#seen.has(key)) this.#seen.set(key, at)
    for (const key of this.#seen.keys()) if (!there.has(key)) this.#seen.delete(key)
    const abandoned = stored.filter((key) => isBlobKey(key) && this.#seen.get(key)! < at - abandonedAfter)
    const named = new Set(data.all('snapshots').flatMap(blobsOf))
    const gone = [...new Set([...deleted.flatMap(blobsOf), ...abandoned])].filter((key) => !named.has(key))
    if (gone.length > 0) await store.deleteBlobs(gone)
    return gone.length
  }
}

export const blobsOf = ({ manifest, packs }: Prepared): readonly string[] => [manifest, ...packs]

/** A freeze older than this refuses to commit, so that what is abandoned for much longer surely is. */
export const longestFreeze = 10 * 60_000
const abandonedAfter = 60 * 60_000

/** The hash of the content, and when it was stored: content that comes again is a blob of its own. */
const blobKey = (cdnId: number, now: Date, bytes: Uint8Array) =>
  `snapshot-${cdnId}-${now.getTime().toString(36)}-${hashOf(bytes)}`

const isBlobKey = (key: string) => key.startsWith('snapshot-')
