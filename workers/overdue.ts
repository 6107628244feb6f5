import type { Worker } from 'node:worker_threads'

interface Given {
  /** The id of the thread that has it, which writes it there; 0 before. */
  readonly thread: Int32Array
  /** When it was first seen to be in a thread. */
  since: number | null
  isEnded: boolean
}

/**
 * Bounds how long a thread may take over a task: one that never came to an end would keep its thread, and with the last
 * of them all that waits, for ever. How long a task waits for a thread does not count.
 */
export class Overdue {
  readonly #given = new Set<Given>()
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly threads: () => readonly Worker[],
    private readonly milliseconds: number,
  ) {
    this.#timer = setInterval(() => this.#look(), milliseconds / 4).unref()
  }

  /** What `run` comes to, which is a rejection when its thread is ended. It is given where the thread writes its id. */
  async bound<T>(run: (thread: Int32Array) => Promise<T>): Promise<T> {
    const one: Given = { thread: threadCell(), since: null, isEnded: false }
    this.#given.add(one)
    try {
      return await run(one.thread)
    } catch (cause) {
      throw one.isEnded ? new Error(`no result within ${this.milliseconds} ms`, { cause }) : cause
    } finally {
      this.#given.delete(one)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const one of this.#given) {
      const id = Atomics.load(one.thread, 0)
      if (id === 0) continue
      one.since ??= now
      if (now - one.since < this.milliseconds || one.isEnded) continue
      one.isEnded = true
      // The pool says that the thread is gone; that its end is asked for cannot fail.
      void this.threads()
        .find(({ threadId }) => threadId === id)
        ?.terminate()
    }
  }
}

export const threadCell = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))
