import { setTimeout as delay } from 'node:timers/promises'

/** Gives up on an answer after `time` ms, by throwing. What was asked for may still be done. */
export async function within<T>(time: number, answer: Promise<T>): Promise<T> {
  const waited = new AbortController()
  const tooLong = delay(time, undefined, { signal: waited.signal }).then(() => {
    throw new Error(`no answer within ${time} ms`)
  })
  answer.catch(() => {})
  try {
    return await Promise.race([answer, tooLong])
  } finally {
    tooLong.catch(() => {})
    waited.abort()
  }
}
