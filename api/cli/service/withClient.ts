import type { Client } from './client.js'
import { createClient } from './client.js'
import type { ServiceOptions } from './which.js'
import { whichService } from './which.js'

/**
 * Runs a command on the service that its options name. On the store of this machine the same service is opened within the
 * process, so that a command is written once, for what any client may ask.
 *
 * @param given.existing for commands that are about what is there: an empty store is refused
 */
export async function withClient<T>(
  options: ServiceOptions,
  use: (client: Client) => Promise<T>,
  given: { existing?: boolean } = { existing: true },
): Promise<T> {
  const remote = whichService(options)
  if (!remote) return (await import('./local.js')).withLocalClient(use, given)
  const { url, token } = remote
  if (url.protocol === 'http:' && token !== '' && !isLoopback(url.hostname))
    process.stderr.write(`edgewright: note that the token goes to ${url.origin} unencrypted\n`)
  return use(createClient({ name: url.origin, url, token }))
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\.[0-9.]+$/.test(host)
