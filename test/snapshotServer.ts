import { importDocument } from '../api/operations/transfer/transfer.js'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import type { FleetOptions } from './fleet.js'
import { fleetDocument } from './fleet.js'

/** A server that holds the CDN `fleet`, of which nothing has been frozen yet. */
export async function fleetServer(
  options: Parameters<typeof buildServer>[0] = {},
  size: FleetOptions['size'] = 'S',
): Promise<TestServer> {
  const server = await buildServer(options)
  await importInto(server, fleetDocument({ size }))
  return server
}

export async function importInto({ service }: TestServer, document: object): Promise<void> {
  const { committer, catalogue } = service.services
  const who = { user: system, requestId: `import-${Math.random()}` }
  const { value } = await committer.write(who, (transaction) => importDocument(transaction, document, catalogue))
  if (value.faults.length > 0) throw new Error(value.faults.map(({ path, text }) => `${path}: ${text}`).join('\n'))
}
