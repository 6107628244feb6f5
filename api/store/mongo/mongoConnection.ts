import { setTimeout as delay } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'
import type { Failed } from '../../flow/failed.js'
import { HistoryReplaced, JournalTrimmed, StoreRefused, StoreUnavailable } from '../store.js'
import { within } from '../within.js'
import { driver } from './driver.js'

/** How long, in ms, one question to the store may take, whatever it is made of. */
const readTime = 6000
/** How long, in ms, a connection may be silent in the middle of an answer. */
const silence = 30_000
/** How long, in ms, nothing may be answered until all connections are made anew. */
const patience = 10_000
const retryDelay = 300

export type MongoConnection = ReturnType<typeof connectionTo>

/**
 * The connection to a MongoDB. Every question goes through `answered`, which bounds it and words what goes wrong.
 *
 * A driver that waits for ever is cured as well. One whose sockets all end at once may write to one that has ended
 * and not said so yet, and then waits for it to drain; when that was the connection by which it watches the server,
 * it takes the server for gone until the end of the process. So when nothing was answered for a while, everything
 * is connected anew.
 */
export function connectionTo(uri: string, failed: Failed) {
  const client = clientFor(uri)
  let isThere = true
  let lastAnswer = performance.now()
  let renewing: Promise<void> | null = null
  let closed = false

  async function renew(): Promise<void> {
    // It is given up, however that goes.
    await within(readTime, client.close()).catch(() => {})
    while (!closed) {
      const isConnected = await within(readTime, client.connect()).then(
        () => true,
        () => false,
      )
      if (isConnected) break
      await delay(retryDelay, undefined, { ref: false })
    }
    lastAnswer = performance.now()
    renewing = null
  }

  function wasAnswered(): void {
    isThere = true
    lastAnswer = performance.now()
  }

  return {
    client,

    /** Whether the last question was answered. */
    get isThere() {
      return isThere
    },

    /** Whatever the driver cannot do, or not within `time` ms, is for the caller the store not being there. */
    async answered<T>(work: Promise<T>, time = readTime): Promise<T> {
      try {
        const answer = await within(time, work)
        wasAnswered()
        return answer
      } catch (cause) {
        if ([JournalTrimmed, HistoryReplaced, StoreRefused].some((kind) => cause instanceof kind)) wasAnswered()
        else isThere = false
        if (!isThere && !renewing && performance.now() - lastAnswer > patience) {
          failed('renewal', cause)
          renewing = renew()
        }
        if (cause instanceof StoreUnavailable || cause instanceof StoreRefused) throw cause
        throw new StoreUnavailable(`MongoDB does not answer: ${(cause as Error).message}`, { cause })
      }
    },

    /** Something was not answered that did not go through `answered`. */
    failed(): void {
      isThere = false
    },

    async close(): Promise<void> {
      closed = true
      await renewing
      // What does not end in time ends with the process.
      await within(readTime, client.close()).catch(() => {})
    },
  }
}

export function clientFor(uri: string): MongoClient {
  try {
    return new (driver().MongoClient)(uri, {
      ignoreUndefined: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: 3000 },
      serverSelectionTimeoutMS: 2000,
      connectTimeoutMS: 2000,
      heartbeatFrequencyMS: 3000,
      waitQueueTimeoutMS: 5000,
      socketTimeoutMS: silence,
    })
  } catch (cause) {
    throw new StoreRefused(`MONGODB_URI cannot be used: ${(cause as Error).message}`, { cause })
  }
}
