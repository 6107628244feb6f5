import { open, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { ApiError, badRequest, noRoom, tooLarge } from '../../config/errors.js'
import { isOutOfRoom } from '../../store/diskSpace.js'

/** The largest backup that is taken, in bytes. Packed, it is some tenth of what the store holds. */
const mostBytes = 8 * 2 ** 30
/** What is left of the disk for everybody else, in bytes; looked at whenever so many more have come. */
const keptFree = 256 * 2 ** 20
const lookedAfter = 32 * 2 ** 20

/** Writes a request's body into a new file for its owner only, piece by piece. */
export async function receive(request: IncomingMessage, file: string): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > mostBytes) throw tooLarge(mostBytes)
  await mustFit(file, declared)
  const to = await open(file, 'wx', 0o600)
  let length = 0
  let looked = 0
  try {
    // What is refused is still answered, so the request is not destroyed when reading ends early.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > mostBytes) throw tooLarge(mostBytes)
      if (length - looked >= lookedAfter) {
        await mustFit(file, Math.max(0, declared - length))
        looked = length
      }
      await to.writeFile(chunk)
    }
    if (!request.complete) throw brokenOff()
  } catch (error) {
    if (isOutOfRoom(error)) throw noRoom()
    // Whoever sent it is gone: nothing of the service failed.
    throw error instanceof ApiError || request.complete ? error : brokenOff()
  } finally {
    await to.close()
  }
  if (length === 0) throw badRequest('The request has no body: send what GET /api/1.3/backup or `backup` gave.')
}

const brokenOff = (): ApiError => badRequest('The request body did not arrive whole.')

async function mustFit(file: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize < bytes + keptFree) throw noRoom()
}
