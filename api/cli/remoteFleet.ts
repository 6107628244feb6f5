import { buffer } from 'node:stream/consumers'
import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import { Refused } from './service/client.js'
import type { FleetCache, FleetSource, ListedFile, MadeFile } from './writeFleet.js'

/** How many files are asked for at once: enough to keep its threads busy, and few beside its caches. */
const atOnce = 8

/** The caches of a CDN as a service over the network knows them, and their files as it gives them to caches. */
export async function remoteFleet(
  client: Client,
  { cdnId, server }: { cdnId: number; server: string | undefined },
): Promise<FleetSource> {
  const query = { cdn: String(cdnId), hostName: server }
  const { response } = await client.ask<readonly (FleetCache & { type: string })[]>('GET', 'servers', { query })
  return {
    caches: response.filter(({ type }) => /^(EDGE|MID)/.test(type)),
    listing: async ({ id }) => {
      const { configFiles } = await client.document(`servers/${id}/configfiles/cachesw`)
      return configFiles as readonly ListedFile[]
    },
    compile: async (jobs, done) => {
      const waiting = [...jobs]
      const work = async () => {
        for (let job = waiting.pop(); job; job = waiting.pop())
          done(
            job,
            await fileAt(client, `${job.scope}/${job.subjectId}/configfiles/cachesw/${encodeURIComponent(job.file)}`),
          )
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
  }
}

async function fileAt(client: Client, path: string): Promise<MadeFile | { fault: string }> {
  try {
    const bytes = await buffer((await client.open(path)).body)
    const query = { warnings: 'true' }
    const { response } = await client.ask<{ compileMilliseconds: number } & Pick<MadeFile, 'warnings'>>('GET', path, {
      query,
    })
    return { bytes, milliseconds: response.compileMilliseconds, warnings: response.warnings }
  } catch (error) {
    // Of one file; of anything else there is no going on.
    if (error instanceof Refused && (error.status === 404 || error.status === 500))
      return { fault: error.texts.join(' ') || error.message }
    throw error instanceof CommandFailed ? error : new CommandFailed(`${client.name}: ${(error as Error).message}`)
  }
}
