import type { ServerResponse } from 'node:http'
import { drained } from './drained.js'
import { standingHeaders } from './represent.js'

/** Server-sent events to one client. */
export interface EventStream {
  /** Sends the headers; from here on nothing can be refused any more. */
  open(): void
  readonly isOpen: boolean
  /** Resolves when the client can take more. Nothing is held back for one that reads slowly: its sender waits. */
  send(id: string, data: string): Promise<void>
  onClose(done: () => void): void
}

/** A comment line now and then keeps proxies from closing an idle stream. */
const heartbeatMilliseconds = 25_000

/** One timer for all streams: three thousand idle watchers have better things to do than hold a timer each. */
export class Streams {
  /** Each open stream, and whether its client took nothing more at the last heartbeat. */
  readonly #open = new Map<ServerResponse, boolean>()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor() {
    this.#timer = setInterval(() => this.#beat(), heartbeatMilliseconds)
    this.#timer.unref()
  }

  over(response: ServerResponse): EventStream {
    return {
      open: () => {
        response.writeHead(200, {
          ...standingHeaders,
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
        })
        response.write('retry: 1000\n\n')
        if (this.#isClosed) {
          response.end()
          return
        }
        this.#open.set(response, false)
        response.once('close', () => this.#open.delete(response))
      },
      get isOpen() {
        return !response.closed && !response.writableEnded
      },
      send: async (id, data) => {
        if (!response.write(`id: ${id}\ndata: ${data}\n\n`)) await drained(response)
      },
      onClose: (done) => {
        response.once('close', done)
        if (response.closed) done()
      },
    }
  }

  /** Who reads nothing from one heartbeat to the next is cut off, and resumes. */
  #beat(): void {
    for (const [response, wasStuck] of this.#open) {
      if (!response.writableNeedDrain) response.write(': still here\n\n')
      else if (wasStuck) response.destroy()
      this.#open.set(response, response.writableNeedDrain)
    }
  }

  get size(): number {
    return this.#open.size
  }

  /** Ends every stream; clients come back to another instance and resume. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const response of this.#open.keys()) response.end()
  }
}
