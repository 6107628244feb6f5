import { clientGone, crowded } from '../config/errors.js'

/**
 * Work that takes much memory while it is done, one after the other in the order it came. Whoever gives up leaves the
 * line; its work is never begun.
 */
export class Line {
  readonly #waiting = new Set<() => void>()
  #isBusy = false

  /** @param most how many may wait, beside the one whose turn it is */
  constructor(private readonly most: number) {}

  /** What `work` gives, when it is its turn. Throws `crowded` when too many wait, and `clientGone` for who gave up. */
  async run<T>(work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    if (gone?.aborted) throw clientGone()
    if (this.#isBusy) await this.#turn(gone)
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(gone?: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.most) throw crowded()
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        gone?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(begin)
        reject(clientGone())
      }
      this.#waiting.add(begin)
      gone?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Stays busy when it goes from one to the other: who comes in between waits, too. */
  #next(): void {
    const [begin] = this.#waiting
    if (!begin) {
      this.#isBusy = false
      return
    }
    this.#waiting.delete(begin)
    begin()
  }
}
