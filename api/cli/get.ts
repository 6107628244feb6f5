import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

/** Prints what a path of the API answers: JSON laid out for people, everything else as it is. */
export async function getCommand(path: string, options: ServiceOptions): Promise<void> {
  await withClient(options, async (client) => {
    const answer = await client.open(path)
    if (answer.headers['content-type']?.includes('json'))
      process.stdout.write(`${JSON.stringify(JSON.parse(await textOf(answer)), null, 2)}\n`)
    else await pipeline(answer, process.stdout, { end: false })
  })
}
