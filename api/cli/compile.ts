import { CommandFailed } from './failed.js'
import { compileFleet, sayFleet } from './fleet.js'
import { withService } from './withService.js'

export async function compileCommand({
  cdn,
  out,
  server,
}: {
  cdn: string
  out: string
  server?: string
}): Promise<void> {
  await withService(
    async (service) => {
      const { data } = service.services
      const [cdnId] = data.ids('cdns', 'name', cdn)
      if (cdnId === undefined)
        throw new CommandFailed(
          `there is no CDN '${cdn}'; there are ${data
            .all('cdns')
            .map(({ name }) => name)
            .join(', ')}`,
        )
      if (server !== undefined && !data.by('servers', 'hostName', server).some((one) => one.cdnId === cdnId)) {
        throw new CommandFailed(`there is no server '${server}' in CDN '${cdn}'`)
      }
      const result = await compileFleet(service, { out, cdnId, ...(server === undefined ? {} : { server }) })
      sayFleet(result, out)
      if (result.failures.length > 0) throw new CommandFailed(`${result.failures.length} files could not be compiled`)
    },
    { existing: true },
  )
}
