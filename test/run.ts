import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageRoot } from '../api/config/packageRoot.js'
import { seededRandom } from './seededRandom.js'
import { builtBinary } from './store/mongodbServer.js'

/*
 * All tests, as they were compiled to `.tests/`: several files at once, in an order of chance, but those first that may
 * take long; then, one after the other, those that want a process for themselves. When something fails, the order is told by its seed:
 *
 *     npm test -- --seed 4711
 *
 * Words choose the files whose path has one of them; `--jobs` says how many run at once.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, jobs: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
// One more than there are cores: some only wait.
const jobs = Number(values.jobs ?? availableParallelism() + 1)

/**
 * Those that measure how long they hold the event loop themselves, which that of another process does not: what is at
 * work there is counted, however much else the machine does. And those that declare fragments, which a process can only
 * do before it compiles.
 */
const wantsToBeAlone = (file: string): boolean =>
  / = defineFragment\(|from '(\.\/held\.js|node:perf_hooks)'/.test(textOf(file))

/** Says by its timeouts that it may take minutes: begun last, it would keep everybody waiting at the end. */
const mayTakeLong = (file: string): boolean =>
  [...textOf(file).matchAll(/\btimeout\(([^)]*)\)/g)]
    .flatMap(([, given]) => given!.match(/\d[\d_]*/g) ?? [])
    .some((number) => Number(number.replaceAll('_', '')) >= 180_000)

const sources = readdirSync(join(packageRoot, 'test'), { recursive: true, encoding: 'utf8' })
const files = sources
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => positionals.length === 0 || positionals.some((word) => `test/${file}`.includes(word)))
  .sort()
const inOrder = shuffled(files.filter((file) => !wantsToBeAlone(file)))
const together = [...inOrder.filter(mayTakeLong), ...inOrder.filter((file) => !mayTakeLong(file))]
const alone = files.filter(wantsToBeAlone)

// What tests start as processes of their own: they are many, and start in half the time when each is a few files.
const children = new Set(
  sources
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...textOf(file).matchAll(/childArguments\('(test\/[^']+)'\)/g)].map(([, name]) => `${name}.ts`),
    ),
)
execFileSync(process.execPath, ['bundle.js', '.tests', ...children], { cwd: packageRoot, stdio: 'inherit' })

// Files that run at once would each build it, and wait for it longer than a test may.
if (files.some((file) => textOf(file).includes('startMongodbServer'))) builtBinary()

// All fragments that there are must be declared before the first file of a process compiles.
const codes = [
  ...(together.length > 0
    ? [await mocha(together, ['--parallel', '--jobs', String(jobs), '--require', compiled('../api/server.ts')])]
    : []),
  ...(alone.length > 0 ? [await mocha(alone, [])] : []),
]
if (codes.some((code) => code !== 0)) {
  console.log(`The order of the files was that of \`npm test -- --seed ${seed}\`.`)
  process.exitCode = 1
}

function textOf(file: string): string {
  return readFileSync(join(packageRoot, 'test', file), 'utf8')
}

/** @param source relative to this folder */
function compiled(source: string): string {
  return fileURLToPath(new URL(source.replace(/\.ts$/, '.js'), import.meta.url))
}

/** Gives mocha's exit code. */
function mocha(some: readonly string[], options: readonly string[]): Promise<number> {
  const program = join(packageRoot, 'node_modules/mocha/lib/cli/cli.js')
  const always = ['--no-config', '--no-package', '--timeout', '120000', '--exit']
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', program, ...always, ...options, ...some.map(compiled)],
    {
      cwd: packageRoot,
      stdio: 'inherit',
    },
  )
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

function shuffled(sorted: readonly string[]): string[] {
  const random = seededRandom(seed)
  const places = new Map(sorted.map((file) => [file, random()]))
  return sorted.toSorted((a, b) => places.get(a)! - places.get(b)!)
}
