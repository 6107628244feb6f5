import { crowded } from '../../config/errors.js'

/** Import documents at once: those that arrive, and those that wait to be decided. */
const mostDocuments = 20
/** Bytes of them together; parsed, they take several times as much memory. */
const mostBytes = 512 * 2 ** 20

/** One document's part of the room. */
export interface Place {
  /** Counts what has arrived. Throws `crowded` when that is more than there is room for. */
  take(bytes: number): void
}

/** The room for import documents: imports are decided one after the other, and wait with all that they hold. */
export class ImportRoom {
  #documents = 0
  #bytes = 0

  /**
   * What `work` gives, which has a place in the room until it is done. Throws `crowded` when there is none.
   *
   * @param declared how long the document is said to be, in bytes; 0 when that is not said
   */
  async during<T>(declared: number, work: (place: Place) => Promise<T>): Promise<T> {
    if (this.#documents >= mostDocuments || this.#bytes + declared > mostBytes) throw crowded()
    let own = declared
    let arrived = 0
    this.#documents += 1
    this.#bytes += declared
    try {
      return await work({
        take: (bytes) => {
          arrived += bytes
          const more = Math.max(0, arrived - own)
          if (this.#bytes + more > mostBytes) throw crowded()
          this.#bytes += more
          own += more
        },
      })
    } finally {
      this.#documents -= 1
      this.#bytes -= own
    }
  }
}
