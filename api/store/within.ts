import { setTimeout as delay } from 'node:timers/promises'

/** Gives up on an answer after `time` ms, by throwing. What was asked for may still be done. */
export async function within<T>(time: number, answer: Promise<T>): Promise<T> {
  const waited = new AbortController()
  const tooLong = delay(time, undefined, { signal: waited.signal }).then(() => {
    throw new Error(`no answer within ${time} ms`)
  })
  // It may fail after it was given up: then nobody waits for it any more, and who gave up has been told.
  answer.catch(() => {})
  try {
    return await Promise.race([answer, tooLong])
  } finally {
    // It is what ends the wait, or is called off here.
    tooLong.catch(() => {})
    waited.abort()
  }
}
