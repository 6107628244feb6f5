import type { Binary, Collection, ObjectId } from 'mongodb'
import { driver } from './driver.js'
import type { Collections } from './mongoHistories.js'
import { storeTime } from './mongoTime.js'

interface BlobDocument {
  readonly _id: string
  readonly upload: ObjectId
  readonly chunks: number
}

interface BlobChunkDocument {
  readonly _id: string
  readonly upload: ObjectId
  readonly bytes: Binary | Uint8Array
}

const chunkSize = 4_000_000
/** An upload that is not finished after this time, in ms, never will be. Its id says, in the store's time, when it began. */
const longestUpload = 24 * 60 * 60 * 1000

/**
 * Blobs in MongoDB: their chunks first, under an id of this upload, the head last. Uploads of the same content
 * do not share chunks, so deleting one blob cannot take a piece of another.
 */
export function createBlobs(database: Collections) {
  const heads: Collection<BlobDocument> = database.collection('blobs')
  const chunks: Collection<BlobChunkDocument> = database.collection('blobChunks')

  return {
    async put(hash: string, bytes: Uint8Array): Promise<void> {
      if (await heads.findOne({ _id: hash })) return
      const seconds = Math.floor((await storeTime(database)).getTime() / 1000)
      const { ObjectId } = driver()
      const upload = new ObjectId(ObjectId.generate(seconds))
      const count = Math.ceil(bytes.length / chunkSize)
      for (let number = 0; number < count; number++) {
        const piece = bytes.subarray(number * chunkSize, (number + 1) * chunkSize)
        await chunks.insertOne({ _id: `${upload.toHexString()}/${number}`, upload, bytes: piece })
      }
      try {
        await heads.insertOne({ _id: hash, upload, chunks: count })
      } catch (error) {
        if (!(error instanceof driver().MongoServerError) || error.code !== 11000) throw error
        await chunks.deleteMany({ upload })
      }
    },

    async get(hash: string): Promise<Uint8Array | null> {
      const head = await heads.findOne({ _id: hash })
      if (!head) return null
      const pieces: Uint8Array[] = []
      for (let number = 0; number < head.chunks; number++) {
        const chunk = await chunks.findOne({ _id: `${head.upload.toHexString()}/${number}` })
        if (!chunk) return null
        pieces.push((chunk.bytes as Binary).buffer)
      }
      return Buffer.concat(pieces)
    },

    async remove(hashes: readonly string[]): Promise<void> {
      for (const hash of hashes) {
        const head = await heads.findOneAndDelete({ _id: hash })
        if (head) await chunks.deleteMany({ upload: head.upload })
      }
    },

    async list(): Promise<string[]> {
      const found = await heads.find({}, { projection: { _id: 1 } }).toArray()
      return found.map(({ _id }) => _id)
    },

    /** Removes chunks of uploads that were never finished. */
    async sweep(): Promise<void> {
      const oldest = (await storeTime(database)).getTime() - longestUpload
      const finished = new Set((await heads.find().toArray()).map(({ upload }) => upload.toHexString()))
      const found = await chunks.find({}, { projection: { upload: 1 } }).toArray()
      for (const { _id, upload } of found) {
        const abandoned = upload.getTimestamp().getTime() < oldest
        if (abandoned && !finished.has(upload.toHexString())) await chunks.deleteOne({ _id })
      }
    },
  }
}
