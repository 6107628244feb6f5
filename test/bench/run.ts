import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Figure } from './report.js'
import { Report, summary } from './report.js'

interface Options {
  readonly xl: boolean
  /** How long the soak lasts. */
  readonly minutes: number
}

/** `npm run bench -- [section …] [--xl] [--minutes=N]`: without a section, all of them. */
const sections: Readonly<Record<string, () => Promise<(report: Report, options: Options) => unknown>>> = {
  compiling: async () => (await import('./compiling.js')).compiling,
  fleets: async () => (await import('./fleets.js')).fleets,
  edits: async () => (await import('./edits.js')).edits,
  matching: async () => (await import('./matching.js')).matching,
  serving: async () => (await import('./serving.js')).serving,
  polling: async () => (await import('./polling.js')).polling,
  starting: async () => (await import('./starting.js')).starting,
  writing: async () => (await import('./writing.js')).writing,
  memory: async () => (await import('./memory.js')).memory,
  soak: async () => (await import('./soak.js')).soak,
}

const given = process.argv.slice(2)
const input = given.filter((argument) => !argument.startsWith('--'))
const options = given.filter((argument) => argument.startsWith('--'))
const xl = given.includes('--xl')
const minutes = Number(options.find((option) => option.startsWith('--minutes='))?.slice('--minutes='.length) ?? 10)
const unknown = input.filter((name) => !(name in sections))
if (unknown.length > 0) {
  process.stderr.write(`no such section: ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}\n`)
  process.exit(2)
}
if (process.send) await runSection(input[0]!)
else await runAll()

/** Each section in a process of its own, so that none inherits the memory or the optimised code of another. */
async function runAll(): Promise<void> {
  const figures: Figure[] = []
  for (const name of Object.keys(sections)) {
    if (input.length > 0 && !input.includes(name)) continue
    const child = fork(fileURLToPath(import.meta.url), [name, ...options], { execArgv: ['--expose-gc'] })
    child.on('message', (some) => figures.push(...(some as Figure[])))
    const [code] = await once(child, 'exit')
    if (code !== 0) process.exitCode = 1
  }
  process.stdout.write(`${summary(figures)}\n`)
}

async function runSection(name: string): Promise<void> {
  const report = new Report()
  const run = await sections[name]!()
  await run(report, { xl, minutes })
  process.send!(report.figures, () => process.exit(0))
}
