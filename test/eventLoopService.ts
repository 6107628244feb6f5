import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childArguments } from './childArguments.js'

/** In ms. */
export interface Delay {
  /** Until what was due was done. */
  readonly longest: number
  /** Of which the service was at work, where that is known. */
  readonly held: number
}

export interface MeasuredService {
  readonly url: string
  readonly cookie: string
  /** Runs `work` and gives the longest time that the service's event loop was held meanwhile. */
  longestDelay(work: () => Promise<void>): Promise<Delay>
  /** The same while it does nothing but small steps: what the machine itself adds, busy with other things. */
  leastDelay(): Promise<number>
  close(): Promise<void>
}

const child = childArguments('test/eventLoopChild')

/**
 * A service in another process, over HTTP, that tells how long its event loop was held.
 *
 * @param env further settings
 */
export async function measuredService(env: Record<string, string> = {}): Promise<MeasuredService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-loop-'))
  const service = spawn(process.execPath, [...child, dataDir, JSON.stringify(env)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => service.once('exit', resolve))
  const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]()
  const heard = async () => JSON.parse((await lines.next()).value as string)
  const ask = (word: string) => {
    service.stdin.write(`${word}\n`)
    return heard()
  }
  const { url, cookie } = await heard()
  return {
    url,
    cookie,
    longestDelay: async (work) => {
      await ask('reset')
      await work()
      return ask('report')
    },
    leastDelay: async () => {
      await ask('reset')
      await ask('work')
      return (await ask('report')).longest
    },
    close: async () => {
      service.stdin.write('end\n')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
