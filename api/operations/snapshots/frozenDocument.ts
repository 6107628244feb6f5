import { inSlices } from '../../flow/slices.js'
import type { Records } from '../../schema/records.js'
import { hashed } from './largeBytes.js'
import type { DocumentName, Manifest } from './packs.js'
import { hashLength, putTogether, uncompressed } from './packs.js'

/** Gives the bytes of a blob, packed as they are stored; `null` when there is none. */
export type BlobReader = (key: string) => Promise<Uint8Array | null>

type Version = Pick<Records['snapshots'], 'version' | 'cdnName' | 'manifest' | 'crConfigHash' | 'monitoringHash'>

/** A frozen document without its `stats`, put together from its blobs. Throws Error when they are not those of it. */
export async function readDocument(blobs: BlobReader, version: Version, name: DocumentName): Promise<Uint8Array> {
  const { packs, pieces } = await readManifest(blobs, version.manifest)
  const needed = new Set(pieces[name].map(([, pack]) => pack))
  const unpacked = await Promise.all(
    packs.map(([key, length], pack) => (needed.has(pack) ? readBlob(blobs, key, length) : new Uint8Array(0))),
  )
  const bytes = await inSlices(putTogether(pieces[name], unpacked))
  const hash = name === 'CRConfig' ? version.crConfigHash : version.monitoringHash
  if ((await inSlices(hashed(bytes))).slice(0, hashLength) !== hash)
    throw new Error(`version ${version.version} of ${version.cdnName} is damaged: ${name}`)
  return bytes
}

export async function readManifest(blobs: BlobReader, key: string): Promise<Manifest> {
  return JSON.parse(Buffer.from(await readBlob(blobs, key)).toString()) as Manifest
}

async function readBlob(blobs: BlobReader, key: string, length?: number): Promise<Uint8Array> {
  const bytes = await blobs(key)
  if (!bytes) throw new Error(`the store has lost the blob ${key}`)
  return uncompressed(bytes, length)
}
