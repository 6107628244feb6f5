import { Piscina } from 'piscina'
import type { HashTask } from './hashThread.js'
import { watchLoading } from './loading.js'
import { threadModule } from './threadModule.js'

let thread: Piscina<HashTask, Uint8Array> | null = null

/**
 * Derives keys with scrypt, one at a time, in a thread of its own: in libuv's pool, where node's asynchronous scrypt
 * works, everybody who needs something compressed would wait behind those who guess passwords. The thread is started
 * when there is something to do, ends when there is nothing any more, and keeps no process alive.
 */
export function deriveKey(task: HashTask): Promise<Uint8Array> {
  thread ??= startThread()
  return thread.run(task)
}

/** Keys that are asked for and that the thread has not begun. */
export const keysWaiting = (): number => thread?.queueSize ?? 0

function startThread(): Piscina<HashTask, Uint8Array> {
  const started = new Piscina<HashTask, Uint8Array>({
    filename: threadModule('workers/hashThread').href,
    name: 'deriveKey',
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: 10_000,
    env: {},
  })
  watchLoading(started)
  return started
}
