import type { ServerResponse } from 'node:http'
import { drained } from '../flow/drained.js'
import type { EventStream } from '../operations/eventStream.js'
import { standingHeaders } from './standingHeaders.js'

/** A comment line now and then keeps proxies from closing an idle stream. */
const heartbeatMilliseconds = 25_000

const streamHeaders = {
  ...standingHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

/** One timer for all streams: three thousand idle watchers have better things to do than hold a timer each. */
export class Streams {
  readonly #open = new Map<ServerResponse, { readonly mayStay: () => boolean; wasStuck: boolean }>()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor() {
    this.#timer = setInterval(() => this.#beat(), heartbeatMilliseconds).unref()
  }

  /** @param mayStay whether whoever watches would be let in now */
  over(response: ServerResponse, mayStay: () => boolean): EventStream {
    return {
      open: () => {
        response.writeHead(200, streamHeaders)
        response.write('retry: 1000\n\n')
        if (this.#isClosed) return void response.end()
        this.#open.set(response, { mayStay, wasStuck: false })
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

  /** Ends the streams of those who would not be let in any more. */
  endBarred(): void {
    for (const [response, { mayStay }] of this.#open) if (!mayStay()) this.#end(response)
  }

  /** Who reads nothing from one heartbeat to the next is cut off, and resumes. */
  #beat(): void {
    // A session or token may have run out, which no change tells.
    this.endBarred()
    for (const [response, open] of this.#open) {
      if (!response.writableNeedDrain) response.write(': still here\n\n')
      else if (open.wasStuck) response.destroy()
      open.wasStuck = response.writableNeedDrain
    }
  }

  #end(response: ServerResponse): void {
    this.#open.delete(response)
    if (response.writableNeedDrain) response.destroy()
    else response.end()
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
