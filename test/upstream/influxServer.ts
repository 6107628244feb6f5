import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A real InfluxDB of this machine, with a user, a password, and the databases of the field's statistics daemon. */
export interface InfluxServer {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Writes lines as the daemon does; times in them are milliseconds. */
  write(database: string, policy: 'daily' | 'monthly', lines: readonly string[]): Promise<void>
  /** Asks as somebody beside the service does. */
  query(text: string, database?: string): Promise<unknown>
  remove(): Promise<void>
}

/** Starts it on an empty folder. Null, after a line that says so, where it is not installed. */
export async function startInfluxServer(): Promise<InfluxServer | null> {
  try {
    execFileSync('influxd', ['version'], { stdio: 'ignore' })
  } catch {
    console.log('    SKIPPED: influxd is not installed, so there is no store of time series to test against')
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'edgewright-influx-'))
  const child = spawn('influxd', ['-config', configIn(folder)], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('influxd ended before it listened')))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const at = /Listening on HTTP.*127\.0\.0\.1:(\d+)/.exec(line)
      if (at) resolve(Number(at[1]))
    })
  })
  const [user, password] = ['reader', 'a "quoted" pass:word']
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const ask = async (path: string, body: string | URLSearchParams): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    const text = await response.text()
    const answer = text === '' ? {} : JSON.parse(text)
    if (!response.ok || answer.results?.some(({ error }: { error?: string }) => error)) throw new Error(text)
    return answer
  }
  const query = (q: string, db = '') => ask('/query', new URLSearchParams({ q, db }))
  await query(`CREATE USER ${user} WITH PASSWORD '${password}' WITH ALL PRIVILEGES`)
  for (const database of ['cache_stats', 'deliveryservice_stats']) {
    await query(`CREATE DATABASE ${database}`)
    await query(`CREATE RETENTION POLICY daily ON ${database} DURATION 26h REPLICATION 1 DEFAULT`)
    await query(`CREATE RETENTION POLICY monthly ON ${database} DURATION 30d REPLICATION 1`)
  }
  return {
    port,
    user,
    password,
    query,
    write: async (database, policy, lines) => {
      await ask(`/write?${new URLSearchParams({ db: database, rp: policy, precision: 'ms' })}`, lines.join('\n'))
    },
    remove: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configIn(folder: string): string {
  const path = join(folder, 'influxdb.conf')
  writeFileSync(
    path,
    `reporting-disabled = true
bind-address = "127.0.0.1:0"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:0"
  auth-enabled = true
  log-enabled = false
`,
  )
  return path
}
