import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../api/config/packageRoot.js'
import { childArguments } from './childArguments.js'

export interface ServedChild {
  readonly url: string
  readonly dataDir: string
  readonly child: ChildProcess
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** The session of the administrator, as a cookie. */
  readonly cookie: string
  /** Kills it if it still runs, and removes its data. */
  discard(): Promise<void>
}

const password = 'a-Password-of-tests'

/** `edgewright serve` as a process of its own, on any port, with an embedded store in a folder of its own. */
export async function serveInChild(env: Record<string, string> = {}): Promise<ServedChild> {
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-child-'))
  const child = spawn(process.execPath, [...childArguments('api/main'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      WORKERS: '1',
      PORT: '0',
      ...env,
    },
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const found = /"url":"([^"]+)"/.exec(text)
      if (found) resolve(found[1]!)
    })
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${text}`)))
  })
  const answer = await fetch(`${url}/api/1.3/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ u: 'admin', p: password }),
  })
  return {
    url,
    dataDir,
    child,
    ended,
    cookie: answer.headers.getSetCookie()[0]!.split(';')[0]!,
    discard: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
