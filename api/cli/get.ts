import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { CommandFailed } from './failed.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'

/** Prints what a path of the API answers: JSON laid out for people, everything else as it is. */
export async function getCommand(path: string, options: ServiceOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { headers, body } = await client.open(path)
    if (headers['content-type']?.includes('json')) process.stdout.write(laidOut(await textOf(body)))
    else await pipeline(body, process.stdout, { end: false })
  })
}

function laidOut(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    throw new CommandFailed('the answer is no JSON, though it says so; is an Edgewright there?')
  }
}
