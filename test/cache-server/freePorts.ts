import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Ports on 127.0.0.1 that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const listening = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(listening.map((server) => once(server, 'listening')))
  const ports = listening.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(listening.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
