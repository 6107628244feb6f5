import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CacheServer } from './cacheServer.js'
import { diagnosticsToStderr } from './diagnostics.js'
import type { Explained, Problem } from './problems.js'
import { problemsIn } from './problems.js'
import { workFolder } from './workFolder.js'

const run = promisify(execFile)

export interface BootOptions {
  /** Listened on at 127.0.0.1 only. */
  readonly port: number
  /** Listened on too, by TLS. */
  readonly tlsPort?: number
  /** records.config keys that win over the folder's, e.g. `{ 'proxy.config.proxy_name': 'm1' }`. */
  readonly records?: Readonly<Record<string, string>>
  /** Names that are this machine. */
  readonly hosts?: readonly string[]
  /** Under the supervisor, so that changed files can be reloaded; takes two seconds longer to start. */
  readonly supervised?: boolean
  readonly explained?: readonly Explained[]
}

export interface Booted {
  readonly port: number
  /** What it has complained of so far. */
  problems(): Problem[]
  /** Replaces files of its configuration and has them loaded. Only when supervised. */
  reload(changed: Readonly<Record<string, string>>): Promise<void>
  /** Ends it and removes everything it wrote. */
  stop(): Promise<void>
}

const startLimit = 30_000

/**
 * Starts the cache server on a laid out folder in a run root of its own, which is gone after `stop`. Resolves when it
 * serves, or has given up: it starts with most bad files, so judge by `problems()`.
 */
export async function boot(server: CacheServer, folder: string, options: BootOptions): Promise<Booted> {
  const root = await runRoot(server, folder, options.hosts ?? [])
  const env = environment(server, root, options)
  const command = options.supervised ? [server.manager, '--nosyslog'] : [server.binary]
  const child = spawn('sh', ['-c', whileWatched, 'sh', root, ...command], { env, detached: true, stdio: 'pipe' })
  const stop = async () => {
    await end(child)
    await rm(root, { recursive: true, force: true })
  }
  const printed = await untilServing(child).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    port: options.port,
    problems: () => {
      const found = problemsIn(printed(), [...throwAway, ...(options.explained ?? [])])
      return serves(printed()) ? found : [...found, { severity: 'FATAL', text: 'it ended before it served' }]
    },
    async reload(changed) {
      for (const [name, text] of Object.entries(changed)) await writeFile(join(root, 'etc', name), text)
      await run(server.control, ['config', 'reload'], { env, timeout: 10_000 })
    },
    stop,
  }
}

/**
 * Runs a command for as long as the pipe at its standard input is open, that is as long as this process lives,
 * however it may end: afterwards nothing runs on, and the run root is gone.
 */
const whileWatched = `
root=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ cat <&3; rm -rf "$root"; kill -9 0; } >/dev/null 2>&1 &
wait $server
kill -9 0
`

/** What every start in a throw-away run root says. */
const throwAway: readonly Explained[] = [
  { pattern: /^disk header different for disk /, because: 'the sparse file for the cache is new' },
]

async function runRoot(server: CacheServer, folder: string, hosts: readonly string[]): Promise<string> {
  const root = await workFolder('run')
  for (const name of ['etc', 'var', 'run', 'log', 'cache', 'share']) await mkdir(join(root, name))
  await cp(folder, join(root, 'etc'), { recursive: true })
  await rewriteSpans(root)
  await writeFile(join(root, 'etc', 'hosts'), hosts.map((host) => `127.0.0.1 ${host}\n`).join(''))
  const places = {
    prefix: root,
    exec_prefix: root,
    bindir: '/usr/bin',
    sbindir: '/usr/sbin',
    sysconfdir: join(root, 'etc'),
    datadir: join(root, 'share'),
    includedir: '/usr/include',
    libdir: '/usr/lib/trafficserver',
    libexecdir: server.plugins,
    localstatedir: join(root, 'var'),
    runtimedir: join(root, 'run'),
    logdir: join(root, 'log'),
    cachedir: join(root, 'cache'),
    mandir: join(root, 'share'),
    infodir: join(root, 'share'),
  }
  const yaml = Object.entries(places).map(([name, place]) => `${name}: ${place}\n`)
  await writeFile(join(root, 'runroot.yaml'), yaml.join(''))
  // It gives up root's rights at once and works as this user.
  await run('chown', ['-R', user, root])
  return root
}

const user = 'trafficserver'

/** The disks of storage.config become sparse files; smaller than this, volumes cannot be made on them. */
const spanBytes = 512 * 1024 * 1024

async function rewriteSpans(root: string): Promise<void> {
  const path = join(root, 'etc', 'storage.config')
  const disks: string[] = []
  const rewritten = (await readFile(path, 'utf8')).replaceAll(/^\/\S+.*$/gm, (line) => {
    const disk = join(root, 'cache', `disk${disks.length}`)
    disks.push(disk)
    return [disk, ...(/volume=\d+/.exec(line) ?? [])].join(' ')
  })
  for (const disk of disks) {
    await writeFile(disk, '')
    await truncate(disk, spanBytes)
  }
  await writeFile(path, rewritten)
}

function environment(
  server: CacheServer,
  root: string,
  { port, tlsPort, records = {} }: BootOptions,
): NodeJS.ProcessEnv {
  const settings = {
    'proxy.config.admin.user_id': user,
    'proxy.config.http.server_ports': `${port}:ip-in=127.0.0.1${tlsPort ? ` ${tlsPort}:ssl:ip-in=127.0.0.1` : ''}`,
    'proxy.config.plugin.plugin_dir': server.plugins,
    'proxy.config.net.connections_throttle': '1000',
    'proxy.config.exec_thread.autoconfig': '0',
    'proxy.config.exec_thread.limit': '2',
    'proxy.config.ssl.server.cert.path': join(root, 'etc'),
    'proxy.config.ssl.server.private_key.path': join(root, 'etc'),
    'proxy.config.hostdb.host_file.path': join(root, 'etc', 'hosts'),
    'proxy.config.log.logfile_dir': join(root, 'log'),
    ...records,
  }
  // Any setting can be given in the environment, where it wins over records.config.
  const asEnvironment = Object.entries(settings).map(([key, value]) => [
    key
      .replace(/^proxy\.config\./, 'PROXY_CONFIG_')
      .replaceAll('.', '_')
      .toUpperCase(),
    value,
  ])
  return {
    ...process.env,
    TS_RUNROOT: join(root, 'runroot.yaml'),
    ...diagnosticsToStderr,
    ...Object.fromEntries(asEnvironment),
  }
}

const serves = (printed: string) =>
  printed.includes('Traffic Server is fully initialized') && printed.includes('traffic server running')

/** Gives what it printed so far, once it says that it serves, or when it has ended. */
function untilServing(child: ChildProcess): Promise<() => string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`the cache server did not start within ${startLimit} ms:\n${printed}`))
    const limit = setTimeout(giveUp, startLimit)
    const settle = () => {
      clearTimeout(limit)
      resolve(() => printed)
    }
    const note = (chunk: Buffer) => {
      printed += chunk.toString()
      if (serves(printed)) settle()
    }
    child.stdout?.on('data', note)
    child.stderr?.on('data', note)
    child.once('error', reject)
    child.once('close', settle)
  })
}

/** Without asking: there is nothing to keep, and an orderly end takes a second. The shell leads the whole group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'close')
  process.kill(-child.pid, 'SIGKILL')
  await gone
}
