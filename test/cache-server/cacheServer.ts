import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { pluginFolder } from './plugins.js'

const run = promisify(execFile)

/** The cache server on this machine. */
export interface CacheServer {
  /** What it says of itself, e.g. `9.2.9`. */
  readonly version: string
  readonly binary: string
  /** The supervisor, needed for a reload while it runs. */
  readonly manager: string
  readonly control: string
  /** Its configuration as packaged: what a file is when it was not compiled. */
  readonly defaults: string
  /** Where plugins are loaded from: the installed ones, and stand-ins for those that cannot load here. */
  readonly plugins: string
}

/** Finds it, or says why the tests that need it cannot run. */
export async function findCacheServer(): Promise<CacheServer | { readonly missing: string }> {
  const [binary, manager, control] = ['traffic_server', 'traffic_manager', 'traffic_ctl'].map(program)
  if (!binary || !manager || !control) return { missing: 'traffic_server is not installed' }
  if (process.getuid?.() !== 0) return { missing: 'only root can start it as the user it runs as' }
  const layout = (await run('traffic_layout', ['info'])).stdout
  const at = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(layout)?.[1] ?? ''
  if (!existsSync(`${at('PLUGINDIR')}/url_sig.so`)) return { missing: 'its experimental plugins are not installed' }
  const version = /Traffic Server (\d+\.\d+\.\d+)/.exec((await run(binary, ['--version'])).stdout)?.[1]
  if (!version?.startsWith('9.')) return { missing: `traffic_server is ${version ?? 'of no known version'}, not 9.x` }
  for (const tool of ['gcc', 'openssl']) if (!program(tool)) return { missing: `there is no ${tool}` }
  return {
    version,
    binary,
    manager,
    control,
    defaults: at('SYSCONFDIR'),
    plugins: await pluginFolder(at('PLUGINDIR')),
  }
}

function program(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path))
}
