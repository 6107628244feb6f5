import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A connection that has been silent so long has no request under way that has not been read yet. */
const silence = 250

/**
 * The end of a server, in order: nobody new is let in, every answer is its connection's last, and what had begun is
 * finished, up to a deadline. Then what is left is cut.
 */
export class Ending {
  readonly #open = new Set<ServerResponse>()
  #hasBegun = false
  #why: string | null = null

  /** What made it begin, when nobody asked for it. */
  get why(): string | null {
    return this.#why
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Has the client close the connection after this answer. */
  makeLast(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('connection', 'close')
    // Its headers have promised to keep the connection.
    else response.once('finish', () => response.socket?.end())
  }

  /** Notes an answer that is not made at once. */
  opened(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  begin(why?: string): void {
    this.#hasBegun = true
    this.#why ??= why ?? null
    for (const response of this.#open) this.makeLast(response)
  }

  /**
   * Resolves when all is answered that is open now, `own` aside; after `milliseconds` at the latest, and cuts what is left
   * then. Says how many that were.
   */
  async finished(milliseconds: number, own: IncomingMessage | null): Promise<number> {
    const others = [...this.#open].filter(({ req }) => req !== own)
    const closed = Promise.all(others.map((response) => once(response, 'close')))
    const deadline = new AbortController()
    const isOver = await Promise.race([
      closed.then(() => true),
      // Called off when all are closed.
      delay(milliseconds, false, { signal: deadline.signal }).catch(() => true),
    ])
    deadline.abort()
    const left = isOver ? [] : others.filter((response) => this.#open.has(response))
    for (const response of left) response.destroy()
    await closed
    return left.length
  }

  /** Resolves when every connection is closed, after `milliseconds` at the latest, with how many answers were cut. */
  async over(server: Server, milliseconds: number): Promise<number> {
    // The server's own close() would cut connections that are silent this very moment, with a request on its way.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    const quiet = setInterval(() => server.closeIdleConnections(), Math.min(silence, milliseconds || 1))
    let cut = 0
    const deadline = setTimeout(() => {
      cut = this.#open.size
      server.closeAllConnections()
    }, milliseconds)
    await closed
    clearInterval(quiet)
    clearTimeout(deadline)
    // Now that nobody is cut: until then it looks for slow connections, and whatever it answers with stays in memory.
    server.close()
    return cut
  }
}
