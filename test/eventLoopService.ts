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
  /** How long the service was at work itself without a turn of its loop; 0 where the system does not say. */
  readonly held: number
}

export interface MeasuredService {
  readonly url: string
  readonly cookie: string
  /** Runs `work` and gives the longest time that the service's event loop was held meanwhile. */
  longestDelay(work: () => Promise<void>): Promise<Delay>
  /**
   * What may be held against that is no longer than a bound: how long the service was at work itself; where that is not
   * known, the delay but for that of a service that does nothing but small steps, which the machine adds, busy with
   * other things.
   */
  isWithin(delay: Delay, bound: number): Promise<{ isFree: boolean; said: string }>
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
    isWithin: async ({ longest, held }, bound) => {
      if (held > 0) return { isFree: held <= bound, said: `${Math.round(held)} ms at work of ${Math.round(longest)}` }
      await ask('reset')
      await ask('work')
      const least = (await ask('report')).longest
      return { isFree: longest <= bound + least, said: `${Math.round(longest)} ms, ${Math.round(least)} at least` }
    },
    close: async () => {
      service.stdin.write('end\n')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
