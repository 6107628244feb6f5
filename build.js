import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `node build.js`: checks the sources and puts them together in `dist/`, from nothing, so that no file stays of a source
 * that was moved; or does nothing, when `dist/` is what the last build made and the sources are what it was made of.
 */
const stamp = join('dist', '.built')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) {
  rmSync('dist', { recursive: true, force: true })
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  for (const step of [
    [tsc, '--noEmit'],
    ['bundle.js', 'dist'],
  ]) {
    const { status } = spawnSync(process.execPath, step, { stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
  writeFileSync(stamp, fingerprint())
}

/** Of all that is compiled, what it is compiled with, and what came of it. */
function fingerprint() {
  const folders = ['api', 'compiler', 'workers', 'dist'].flatMap((folder) => filesIn(folder).sort())
  const hash = createHash('sha256')
  for (const file of ['build.js', 'bundle.js', 'package.json', 'package-lock.json', 'tsconfig.json', ...folders]) {
    const bytes = readFileSync(file)
    hash.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file !== stamp)
}
