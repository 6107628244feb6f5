import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a wire does with the bytes on it: passes them on; keeps them back for later; loses them, or the answers
 * only, so that what was asked is done and nobody is told; or passes them on so many ms late.
 */
export type WireFault = 'none' | 'hold' | 'lose' | 'lose answers' | { readonly delay: number }

export interface FaultyWire {
  /** As the address given, by way of the wire. */
  readonly uri: string
  fault(kind: WireFault): void
  /** Ends every connection there is, in the middle of whatever it is doing. */
  cut(): void
  close(): Promise<void>
}

interface Line {
  readonly ends: readonly [Socket, Socket]
  /** Bytes were lost: nobody at its ends could make sense of any further. */
  broken: boolean
  /** What is still to be passed on, in order. */
  readonly kept: (() => void)[]
}

/** A TCP proxy in front of the server of a MongoDB address, which can be told to be bad. */
export async function faultyWire(uri: string): Promise<FaultyWire> {
  const { hostname, port } = new URL(uri)
  const lines = new Set<Line>()
  let fault: WireFault = 'none'

  const pass = (line: Line, bytes: Buffer, to: Socket, isAnswer: boolean): void => {
    const send = (): void => void (to.destroyed || to.write(bytes))
    if (fault === 'lose' || (fault === 'lose answers' && isAnswer)) line.broken = true
    else if (fault === 'hold' || typeof fault === 'object' || line.kept.length > 0) line.kept.push(send)
    else send()
    if (typeof fault === 'object') setTimeout(() => line.kept.shift()?.(), fault.delay)
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const line: Line = { ends: [client, upstream], broken: false, kept: [] }
    lines.add(line)
    client.on('data', (bytes) => pass(line, bytes, upstream, false))
    upstream.on('data', (bytes) => pass(line, bytes, client, true))
    for (const end of line.ends) {
      end.setNoDelay()
      end.on('error', () => {})
      end.on('close', () => {
        lines.delete(line)
        for (const other of line.ends) other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = new URL(uri)
  own.port = String((server.address() as AddressInfo).port)
  const end = (line: Line): void => {
    for (const socket of line.ends) socket.destroy()
  }

  return {
    uri: own.href,
    fault(kind) {
      fault = kind
      for (const line of lines) {
        // Bytes in the middle of a stream cannot be left out: the line ends, as it would when the network gives up.
        if (line.broken && kind !== 'lose' && kind !== 'lose answers') end(line)
        if (kind !== 'hold') for (const send of line.kept.splice(0)) send()
      }
    },
    cut() {
      for (const line of lines) end(line)
    },
    async close() {
      for (const line of lines) end(line)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
