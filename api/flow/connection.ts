import type { IncomingMessage } from 'node:http'

/** Runs what need not be finished for a client that is gone: the signal says when its connection is closed. */
export async function whileConnected<T>(
  { socket }: IncomingMessage,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const close = (): void => controller.abort()
  if (socket.destroyed) close()
  socket.once('close', close)
  try {
    return await work(controller.signal)
  } finally {
    socket.off('close', close)
  }
}
