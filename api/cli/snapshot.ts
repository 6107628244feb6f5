import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

/** Freezes the documents of a CDN for its routers and monitors. */
export async function snapshotCommand(
  cdn: string,
  { dryRun = false, force = false, ...options }: ServiceOptions & { dryRun?: boolean; force?: boolean },
): Promise<void> {
  await withClient(options, async (client) => {
    const query = { dryRun: dryRun ? 'true' : undefined, force: force ? 'true' : undefined }
    const { alerts } = await client.ask('PUT', `snapshot/${encodeURIComponent(cdn)}`, { query })
    for (const { level, text } of alerts) {
      if (level === 'warning') process.stderr.write(`edgewright: warning: ${text}\n`)
      else process.stdout.write(`${text}\n`)
    }
  })
}
