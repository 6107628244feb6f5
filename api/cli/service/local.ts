import { randomBytes } from 'node:crypto'
import { serviceUrl } from '../../config/serviceUrl.js'
import { withService } from '../withService.js'
import type { Client } from './client.js'
import { createClient } from './client.js'

/** A client of a service on the store of this machine, which nobody else is told of: who holds the store may do anything. */
export async function withLocalClient<T>(
  use: (client: Client) => Promise<T>,
  given: { existing?: boolean },
): Promise<T> {
  const operator = randomBytes(32).toString('base64url')
  return withService(
    (service) => {
      // Where it will be found once it serves: a snapshot says so.
      const url = new URL(serviceUrl(service.services.settings))
      return use(createClient({ name: 'the store', url, token: operator, connect: () => service.connect() }))
    },
    { ...given, operator },
  )
}
