import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { whichService } from './service/which.js'
import type { FleetResult } from './writeFleet.js'
import { sayFleet } from './writeFleet.js'

interface CompileOptions {
  readonly cdn: string
  readonly out: string
  readonly server?: string
}

/** Every file of every cache of a CDN: by the threads of this process, or from a service that runs. */
export async function compileCommand(options: ServiceOptions & CompileOptions): Promise<void> {
  const result = whichService(options) ? await compiledThere(options) : await compiledHere(options)
  sayFleet(result, options.out)
  if (result.failures.length > 0) throw new CommandFailed(`${result.failures.length} files could not be compiled`)
}

async function compiledHere({ cdn, out, server }: CompileOptions): Promise<FleetResult> {
  const [{ withService }, { compileFleet }] = await Promise.all([import('./withService.js'), import('./fleet.js')])
  return withService(
    async (service) => {
      const { data } = service.services
      const cdnId = cdnOf(cdn, data.all('cdns'))
      if (server !== undefined && !data.by('servers', 'hostName', server).some((one) => one.cdnId === cdnId))
        throw noServer(server, cdn)
      return compileFleet(service, { out, cdnId, ...(server === undefined ? {} : { server }) })
    },
    { existing: true },
  )
}

async function compiledThere({ cdn, out, server, ...options }: ServiceOptions & CompileOptions): Promise<FleetResult> {
  const [{ withClient }, { remoteFleet }, { writeFleet }] = await Promise.all([
    import('./service/withClient.js'),
    import('./remoteFleet.js'),
    import('./writeFleet.js'),
  ])
  return withClient(options, async (client: Client) => {
    const { response } = await client.ask<readonly { id: number; name: string }[]>('GET', 'cdns')
    const source = await remoteFleet(client, { cdnId: cdnOf(cdn, response), server })
    if (server !== undefined && source.caches.length === 0) throw noServer(server, cdn)
    return writeFleet(source, out)
  })
}

function cdnOf(name: string, cdns: readonly { id: number; name: string }[]): number {
  const found = cdns.find((one) => one.name === name)
  if (found) return found.id
  throw new CommandFailed(`there is no CDN '${name}'; there are ${cdns.map((one) => one.name).join(', ')}`)
}

const noServer = (server: string, cdn: string) => new CommandFailed(`there is no server '${server}' in CDN '${cdn}'`)
