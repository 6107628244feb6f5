import type { Finding } from '../operations/check/finding.js'
import { CommandFailed } from './failed.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

/** Says what would keep CDNs from serving, each with what to do; fails when something does. */
export async function doctorCommand({
  cdn,
  json = false,
  ...options
}: ServiceOptions & { cdn?: string; json?: boolean }): Promise<void> {
  await withClient(options, async (client) => {
    const { response } = await client.ask<readonly { name: string }[]>('GET', 'cdns')
    const cdns = response.map(({ name }) => name).filter((name) => name !== 'ALL')
    const chosen = cdns.filter((name) => cdn === undefined || name === cdn)
    if (chosen.length === 0) {
      const there = cdns.length === 0 ? 'none yet: add one with POST /api/1.3/cdns' : cdns.join(', ')
      throw new CommandFailed(`there is no CDN${cdn === undefined ? '' : ` '${cdn}'`}; there are ${there}`)
    }
    const found: Record<string, readonly Finding[]> = {}
    for (const name of chosen) {
      const path = `cdns/${encodeURIComponent(name)}/check`
      found[name] = (await client.ask<{ findings: readonly Finding[] }>('GET', path)).response.findings
    }
    process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : Object.entries(found).map(report).join('\n'))
    const errors = Object.values(found)
      .flat()
      .filter(({ level }) => level === 'error')
    if (errors.length > 0) throw new CommandFailed(`${errors.length} of these keep clients from being served`)
  })
}

/** The same of one CDN. */
export const checkCommand = (cdn: string, options: ServiceOptions & { json?: boolean }): Promise<void> =>
  doctorCommand({ ...options, cdn })

function report([name, findings]: [string, readonly Finding[]]): string {
  if (findings.length === 0) return `${name}: nothing is amiss.\n`
  const lines = findings.map(({ code, level, text, fix }) => `  ${level.padEnd(7)}  ${code}\n    ${text}\n    ${fix}`)
  return `${name}:\n${lines.join('\n')}\n`
}
