import type { Binary } from 'mongodb'
import { jsonBytes } from '../changesText.js'
import { cleanText } from '../documents.js'
import type { LogHead } from '../entries.js'
import type { Entry } from '../store.js'

export interface EntryDocument {
  readonly _id: number
  readonly time: string
  readonly user: string
  /** Absent in documents from before entries had one: there the request id is it. */
  readonly id?: string
  readonly requestId: string
  readonly log: Entry['log']
  /** `{user, log}` exactly, where MongoDB cannot hold them as they are. */
  readonly exact?: string
  /** The changes as JSON, or the number of chunks that JSON is in. */
  readonly changes: string | number
  /** Only the last entry of a journal that ended: see mongoHistories.ts. */
  readonly replacedBy?: string
}

export interface ChunkDocument {
  readonly _id: string
  readonly revision: number
  /** The entry's id. Older chunks have the request id, which was the entry's then. */
  readonly entry?: string
  readonly requestId?: string
  readonly bytes: Binary | Uint8Array
}

/** Bytes of one chunk; changes larger than this are written as chunks. */
const chunkSize = 4_000_000

/** What of a document says whose it is. */
export const identity = { id: 1, requestId: 1 } as const
export const idOf = ({ id, requestId }: Pick<EntryDocument, 'id' | 'requestId'>): string => id ?? requestId

/** An entry as it is written: once made, however often it is sent. */
export interface Made {
  readonly entry: Pick<Entry, 'revision' | 'id'>
  readonly document: EntryDocument
  /** What goes into chunks; none when the document holds the changes. */
  readonly pieces: readonly Uint8Array[]
}

export async function madeOf({ revision, time, user, id, requestId, changes, log }: Entry): Promise<Made> {
  const clean = log.map(({ level, message, ticketNum, tenants }) => ({
    level,
    message: cleanText(message),
    ticketNum: ticketNum === null ? null : cleanText(ticketNum),
    ...(tenants && { tenants }),
  }))
  const exact = JSON.stringify({ user, log })
  const pieces = cut(await jsonBytes(changes))
  const isWhole = pieces.length === 1
  const document = {
    _id: revision,
    time,
    user: cleanText(user),
    id,
    requestId,
    log: clean,
    ...(exact !== JSON.stringify({ user: cleanText(user), log: clean }) && { exact }),
    changes: isWhole ? pieces[0]!.toString('utf8') : pieces.length,
  }
  return { entry: { revision, id }, document, pieces: isWhole ? [] : pieces }
}

export function headOf({ _id, time, user, log, exact }: Omit<EntryDocument, 'changes'>): LogHead {
  const kept = exact === undefined ? { user, log } : (JSON.parse(exact) as Pick<LogHead, 'user' | 'log'>)
  return { revision: _id, time, ...kept }
}

/** Bytes in pieces of `chunkSize`, the last one shorter. */
function cut(parts: readonly Uint8Array[]): Buffer[] {
  const pieces: Buffer[] = []
  let waiting: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    waiting.push(part)
    length += part.length
    for (; length > chunkSize; length -= chunkSize) {
      const bytes = Buffer.concat(waiting)
      pieces.push(bytes.subarray(0, chunkSize))
      waiting = [bytes.subarray(chunkSize)]
    }
  }
  return [...pieces, Buffer.concat(waiting)]
}

export function chunkId(revision: number, id: string, number: number): string {
  return `${revision}/${id}/${number}`
}
