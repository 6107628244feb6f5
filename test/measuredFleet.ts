import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import { childArguments } from './childArguments.js'

/** In ms; what one client asks must not keep the others waiting for longer. */
const most = 50
/** Other processes of a busy machine disturb a measurement, and never for the better: the best of so many counts. */
const rounds = 3

interface Measured {
  /** The longest delay of the loop, by `perf_hooks.monitorEventLoopDelay`. */
  readonly longest: number
  /** How long the thread was at work without a turn of the loop, where that is known: the same on a quiet machine. */
  readonly held: number
}

type Ask = (
  method: string,
  path: string,
  body?: string,
  headers?: Record<string, string>,
) => Promise<{ status: number; length: number }>

export interface MeasuredFleet {
  readonly url: string
  readonly cookie: string
  /** Of the journal once it was made. */
  readonly revision: number
  readonly ask: Ask
  /** Posts what is to be made, and gives it. */
  made(path: string, body: object): Promise<{ id: number }>
  /** What is asked at once while `/livez` is, again and again; asked anew for each round. */
  holdsNobodyUp(what: string, act: (round: number) => Promise<unknown>): Promise<void>
  close(): void
}

/** A service over a fleet of a size, in a process of its own that measures its event loop (`eventLoopFleet.ts`). */
export async function measuredFleet(
  size: 'L' | 'XL',
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<MeasuredFleet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-loop-'))
  const child: ChildProcess = spawn(process.execPath, [...childArguments('test/eventLoopFleet'), size], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    cwd: packageRoot,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: 'a-Password-of-tests',
      WORKERS: '1',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: what the child says
  const said = (): Promise<any> =>
    new Promise((resolve, reject) => {
      const gone = (code: number | null) => reject(new Error(`the service ended with ${code}`))
      child.once('exit', gone)
      child.once('message', (message) => {
        child.off('exit', gone)
        resolve(message)
      })
    })
  const measured = (): Promise<Measured> => {
    const answer = said()
    child.send('measure')
    return answer
  }
  const { url, revision } = await said()
  const login = await fetch(`${url}/api/1.3/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ u: 'admin', p: 'a-Password-of-tests' }),
  })
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
  const input = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    })
  const ask: Ask = async (...given) => {
    const response = await input(...given)
    return { status: response.status, length: (await response.arrayBuffer()).byteLength }
  }
  return {
    url,
    cookie,
    revision,
    ask,
    made: async (path, body) => {
      const response = await input('POST', `/api/1.3/${path}`, JSON.stringify(body))
      expect(response.status).to.equal(200)
      return ((await response.json()) as { response: { id: number } }).response
    },
    holdsNobodyUp: async (what, act) => {
      const figures: string[] = []
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < rounds && best > most; round++) {
        await measured()
        let isDone = false
        const asking = (async () => {
          while (!isDone) await ask('GET', '/livez')
        })()
        try {
          await act(round)
        } finally {
          isDone = true
          await asking
        }
        const { longest, held } = await measured()
        best = Math.min(best, longest, held > 0 ? held : longest)
        figures.push(`${longest.toFixed(0)} (${held.toFixed(0)})`)
      }
      console.log(`      ${what}: ${figures.join(', ')} ms`)
      expect(best, what).to.be.at.most(most)
    },
    close: () => {
      child.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
