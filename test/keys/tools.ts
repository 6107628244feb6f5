import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from 'mocha'

/** Runs a tool and gives what it wrote to standard output; a failure holds what it wrote to standard error. */
export async function run(tool: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(tool, args, { cwd, timeout: 15_000 })
  return stdout
}

/** Gives a test up, saying so, when a tool it proves something with is not installed. */
export function needTools(test: Context, tools: readonly string[], packages: string): void {
  const missing = tools.filter((tool) => spawnSync(tool, ['-h'], { stdio: 'ignore' }).error !== undefined)
  if (missing.length === 0) return
  console.log(`      not proven: ${missing.join(', ')} not installed (Debian: ${packages})`)
  test.skip()
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'edgewright-keys-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
