import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The core that serves; the load comes from the other one, so that neither takes from the other. */
const servingCore = 0
const loadCore = 1

export interface Running<Ready> {
  readonly pid: number
  /** What the module said once it served. */
  readonly ready: Ready
  stop(): Promise<void>
}

export const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0

/** Runs a module of this folder on the serving core, until it sends what it has to say. */
export async function startModule<Ready>(
  name: string,
  given: object,
  where: 'serving core' | 'anywhere',
): Promise<Running<Ready>> {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const pinned = where === 'serving core' ? onCore(servingCore, process.execPath) : [process.execPath]
  const [program = '', ...rest] = [...pinned, file, JSON.stringify(given)]
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} ended with ${code} before it served`)
    }),
  ])) as [Ready]
  return { pid: child.pid!, ready, stop: () => stop(child) }
}

/** Runs a program on the serving core. */
export function startProgram(program: string, args: readonly string[]): { pid: number; stop(): Promise<void> } {
  const [first = '', ...rest] = [...onCore(servingCore, program), ...args]
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
  return { pid: child.pid!, stop: () => stop(child) }
}

/** Runs a program on the load's core to its end and gives what it prints. */
export async function runLoad(program: string, args: readonly string[]): Promise<string> {
  const [first = '', ...rest] = [...onCore(loadCore, program), ...args]
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${text}`)
  return text
}

/** Lets a process that runs on the serving core use the other one, too. */
export function freeCores(pid: number): void {
  spawnSync('taskset', ['-a', '-c', '-p', `${servingCore},${loadCore}`, String(pid)])
}

const onCore = (core: number, program: string): string[] => ['taskset', '-c', String(core), program]

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
