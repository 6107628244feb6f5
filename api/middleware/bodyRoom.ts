import { bodiesCrowded } from '../config/errors.js'
import type { Place } from '../operations/transfer/importRoom.js'

/** Bytes of bodies that arrive or wait; parsed, they take several times as much memory. */
const most = { ofOne: 32 * 2 ** 20, together: 128 * 2 ** 20 }

/**
 * The room for the bodies of writes, from their first byte until they are answered: writes are decided one after the
 * other, and each waits with all that it holds. Nobody takes all of it from the others.
 */
export class BodyRoom {
  #bytes = 0
  readonly #ofUsers = new Map<number, number>()

  /** What `work` gives, whose body has a place in the room until it is done. */
  async during<T>(userId: number, work: (place: Place) => Promise<T>): Promise<T> {
    let own = 0
    const count = (bytes: number): void => {
      own += bytes
      this.#bytes += bytes
      const ofUser = this.#of(userId) + bytes
      if (ofUser > 0) this.#ofUsers.set(userId, ofUser)
      else this.#ofUsers.delete(userId)
    }
    try {
      return await work({
        take: (bytes) => {
          if (this.#bytes + bytes > most.together || this.#of(userId) + bytes > most.ofOne) throw bodiesCrowded()
          count(bytes)
        },
      })
    } finally {
      count(-own)
    }
  }

  #of(userId: number): number {
    return this.#ofUsers.get(userId) ?? 0
  }
}
