import type { Socket } from 'node:net'

/** One request that waits for a change, until there is no time left. */
export class Waiter {
  hasChanged = false
  #wake = (): void => undefined

  constructor(public isOver: boolean) {}

  readonly change = (): void => {
    this.hasChanged = true
    this.#wake()
  }

  /** The time is over, the client gone, or the service about to end. */
  readonly end = (): void => {
    this.isOver = true
    this.#wake()
  }

  /** Ends it when the time is over or the client gone; the function given takes that back. */
  endWith(socket: Socket, milliseconds: number): () => void {
    const timer = setTimeout(this.end, milliseconds)
    socket.once('close', this.end)
    return () => {
      socket.off('close', this.end)
      clearTimeout(timer)
    }
  }

  /** Resolves at once for a change that came before this was asked. */
  async woken(): Promise<void> {
    if (this.hasChanged) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }
}
