import type { ServerResponse } from 'node:http'

/** Resolves when the client has taken what was written, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (!response.writableNeedDrain || response.closed || response.writableEnded) return resolve()
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
