import { checkCdn } from '../operations/check/cdnCheck.js'
import type { Finding } from '../operations/check/finding.js'
import { CommandFailed } from './failed.js'
import { withService } from './withService.js'

/** Says what would keep the CDNs of a store from serving, each with what to do; fails when something does. */
export async function doctorCommand({ cdn, json = false }: { cdn?: string; json?: boolean }): Promise<void> {
  await withService(
    async ({ services }) => {
      const cdns = services.data.all('cdns').filter(({ name }) => name !== 'ALL')
      const chosen = cdns.filter(({ name }) => cdn === undefined || name === cdn)
      if (chosen.length === 0) {
        const there = cdns.length === 0 ? 'none yet: add one with POST /api/1.3/cdns' : cdns.map(({ name }) => name)
        throw new CommandFailed(`there is no CDN${cdn === undefined ? '' : ` '${cdn}'`}; there are ${there}`)
      }
      const found: Record<string, Finding[]> = {}
      for (const one of chosen) found[one.name] = await checkCdn(one, services)
      process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : Object.entries(found).map(report).join('\n'))
      const errors = Object.values(found)
        .flat()
        .filter(({ level }) => level === 'error')
      if (errors.length > 0) throw new CommandFailed(`${errors.length} of these keep clients from being served`)
    },
    { existing: true },
  )
}

function report([name, findings]: [string, readonly Finding[]]): string {
  if (findings.length === 0) return `${name}: nothing is amiss.\n`
  const lines = findings.map(({ code, level, text, fix }) => `  ${level.padEnd(7)}  ${code}\n    ${text}\n    ${fix}`)
  return `${name}:\n${lines.join('\n')}\n`
}
