import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../api/config/packageRoot.js'

const source = join(packageRoot, 'test/store/mongodb-server')

export interface MongodbServer {
  /** `mongodb://127.0.0.1:port/`, the same after a restart. */
  readonly uri: string
  readonly pid: number
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/**
 * Starts the server of `mongodb-server/` on an empty directory. Null, after a line that says so, where it cannot
 * be built for want of Go. The binary is kept between runs, under the hash of its source.
 */
export async function startMongodbServer(): Promise<MongodbServer | null> {
  const binary = builtBinary()
  if (!binary) {
    console.log('    SKIPPED: Go is not installed, so there is no MongoDB-compatible server to test against')
    return null
  }
  const directory = mkdtempSync(join(tmpdir(), 'edgewright-mongodb-'))
  let running = await start(binary, directory, 0)
  const { port } = running
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    get pid() {
      return running.pid
    },
    kill: () => running.kill(),
    async restart() {
      running = await start(binary, directory, port)
    },
    async remove() {
      await running.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Builds the server once, where Go is; null where it is not. */
export function builtBinary(): string | null {
  const hash = createHash('sha256')
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)))
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'edgewright')
  const binary = join(cache, `mongodb-server-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(binary)) return binary
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
  } catch {
    return null
  }
  console.log('    building the MongoDB-compatible test server, once, in a few minutes …')
  mkdirSync(cache, { recursive: true })
  const unfinished = `${binary}.${randomBytes(4).toString('hex')}`
  const build = (env: NodeJS.ProcessEnv, stderr: 'ignore' | 'inherit') =>
    execFileSync('go', ['build', '-trimpath', '-buildvcs=false', '-o', unfinished, '.'], {
      cwd: source,
      stdio: ['ignore', 'ignore', stderr],
      env: { ...process.env, ...env },
    })
  try {
    // Most of what it does is to read JSON, and this one reads it in half the time.
    build({ GOEXPERIMENT: 'jsonv2' }, 'ignore')
  } catch {
    // Go before 1.25 does not have it.
    build({}, 'inherit')
  }
  renameSync(unfinished, binary)
  return binary
}

async function start(
  binary: string,
  directory: string,
  port: number,
): Promise<{ pid: number; port: number; kill: () => Promise<void> }> {
  const child = spawn(binary, ['-directory', directory, '-port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // It takes all documents apart for each question; collecting what is left of them is a third of its work.
    env: { ...process.env, GOGC: '800', GOMEMLIMIT: '700MiB' },
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  for await (const line of createInterface({ input: child.stdout })) {
    const uri = /^ready (\S+)/.exec(line)?.[1]
    if (!uri || child.pid === undefined) continue
    return {
      pid: child.pid,
      port: Number(new URL(uri).port),
      async kill() {
        process.off('exit', end)
        end()
        await exited
      },
    }
  }
  throw new Error('The MongoDB-compatible test server did not start')
}
