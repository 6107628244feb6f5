import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

interface QueueOptions {
  readonly server?: string
  readonly cachegroup?: string
  readonly clear?: boolean
  readonly dryRun?: boolean
}

/** Queues an update of the caches of a CDN, or takes back what was queued: all of them, those of a cache group, or one. */
export async function queueCommand(
  cdn: string,
  { server, cachegroup, clear = false, dryRun = false, ...options }: ServiceOptions & QueueOptions,
): Promise<void> {
  await withClient(options, async (client) => {
    const cdnId = await idOf(client, 'cdns', cdn, 'CDN')
    const order = {
      query: { dryRun: dryRun ? 'true' : undefined },
      body: { action: clear ? 'dequeue' : 'queue' },
    }
    const count =
      server === undefined
        ? await queueMany(client, order, { cdn: cdnId, ...(await groupNamed(client, cachegroup)) })
        : await queueOne(client, order, await serverNamed(client, server, { id: cdnId, name: cdn }))
    const done = clear ? 'taken back' : 'queued'
    process.stdout.write(
      `${dryRun ? `Nothing was ${done}. It would be for` : `Updates are ${done} for`} ${count} ${count === 1 ? 'server' : 'servers'} of ${cdn}.\n`,
    )
  })
}

interface Order {
  readonly query: { readonly dryRun: string | undefined }
  readonly body: { readonly action: string }
}

async function queueMany(client: Client, { query, body }: Order, filters: Record<string, number>): Promise<number> {
  const sent = { query, body: { ...body, ...filters } }
  return (await client.ask<{ count: number }>('POST', 'servers/queue_update', sent)).response.count
}

async function queueOne(client: Client, order: Order, id: number): Promise<number> {
  await client.ask('POST', `servers/${id}/queue_update`, order)
  return 1
}

async function groupNamed(client: Client, name: string | undefined): Promise<Record<string, number>> {
  return name === undefined ? {} : { cachegroup: await idOf(client, 'cachegroups', name, 'cache group') }
}

async function serverNamed(client: Client, hostName: string, cdn: { id: number; name: string }): Promise<number> {
  const { response } = await client.ask<readonly { id: number; cdnId: number }[]>('GET', 'servers', {
    query: { hostName },
  })
  const found = response.find(({ cdnId }) => cdnId === cdn.id)
  if (found) return found.id
  throw new CommandFailed(`there is no server '${hostName}' in CDN '${cdn.name}'`)
}

/** The id of the record of a name, or a fault that says which there are. */
export async function idOf(client: Client, path: string, name: string, label: string): Promise<number> {
  const { response } = await client.ask<readonly { id: number; name: string }[]>('GET', path)
  const found = response.find((one) => one.name === name)
  if (found) return found.id
  throw new CommandFailed(`there is no ${label} '${name}'; there are ${response.map((one) => one.name).join(', ')}`)
}
