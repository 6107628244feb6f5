import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../api/config/packageRoot.js'

/** Where the programs are that make clients, and what is written with them. */
export const sources = join(packageRoot, 'test/clients')

export const run = promisify(execFile)

/**
 * The folder in which the tools of a language are installed from its registry, once for each list of them. Null, after a
 * line that says so, where they cannot be: the language is not there, or the registry is out of reach.
 */
async function installed(
  language: string,
  list: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string | null> {
  const hash = createHash('sha256').update(readFileSync(join(sources, list)))
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'edgewright')
  const folder = join(cache, `clients-${language}-${hash.digest('hex').slice(0, 16)}`)
  const isDone = join(folder, 'installed')
  if (existsSync(isDone)) return folder
  const own = `${folder}.${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(own, { recursive: true })
    await install(own)
    mkdirSync(join(own, 'installed'))
    if (!existsSync(isDone)) renameSync(own, folder)
    return folder
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n')
    console.log(`    SKIPPED: the tools that make a ${language} client cannot be installed (${line})`)
    return null
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** The folder of `node_modules`. */
export const typescriptTools = () =>
  installed('typescript', 'typescript/package-lock.json', async (folder) => {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(sources, 'typescript', file), join(folder, file))
    await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder })
  })

/** The folder of `packages`, which is no virtual environment, so that it can be moved. */
export const pythonTools = () =>
  installed('python', 'python/requirements.txt', async (folder) => {
    const packages = join(folder, 'packages')
    const list = join(sources, 'python/requirements.txt')
    const python = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', packages, '-r', list]
    await run('python3', python, { timeout: 120_000 })
  })

/** Makes the modules of a folder those of another. */
export const linkModules = (from: string, to: string): void =>
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'), 'junction')
