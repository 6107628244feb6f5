import type { ServerResponse } from 'node:http'
import { standingHeaders } from './represent.js'

/** Server-sent events to one client. */
export interface EventStream {
  /** Sends the headers; from here on nothing can be refused any more. */
  open(): void
  send(id: string, data: object): void
  onClose(done: () => void): void
}

/** A comment line now and then keeps proxies from closing an idle stream. */
const heartbeatMilliseconds = 25_000
/** A client that reads slower than it is written to is cut off and resumes. */
const mostBuffered = 256 * 1024

/** One timer for all streams: three thousand idle watchers have better things to do than hold a timer each. */
export class Streams {
  readonly #open = new Set<ServerResponse>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => {
      for (const response of this.#open) this.#write(response, ': still here\n\n')
    }, heartbeatMilliseconds)
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
        this.#open.add(response)
        response.once('close', () => this.#open.delete(response))
      },
      send: (id, data) => this.#write(response, `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
      onClose: (done) => {
        response.once('close', done)
        if (response.closed) done()
      },
    }
  }

  #write(response: ServerResponse, text: string): void {
    if (response.writableLength > mostBuffered) response.destroy()
    else response.write(text)
  }

  get size(): number {
    return this.#open.size
  }

  /** Ends every stream; clients come back to another instance and resume. */
  close(): void {
    clearInterval(this.#timer)
    for (const response of this.#open) response.end()
  }
}
