import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'

/** The real build of a small program in a folder of its own. */
describe('the build', () => {
  let folder: string
  const at = (file: string) => join(folder, file)
  const write = (file: string, text: string) => writeFileSync(at(file), text)
  /** Whether it built, seen by what it does to the file that was there. */
  const builds = (file = 'dist/api/main.js'): boolean => {
    const before = existsSync(at(file)) ? statSync(at(file)).mtimeMs : null
    const { status, stdout, stderr } = spawnSync(process.execPath, [at('build.js')], { cwd: folder, encoding: 'utf8' })
    expect(status, stdout + stderr).to.equal(0)
    return statSync(at(file)).mtimeMs !== before
  }
  /** The file of a module that is loaded when it is wanted. */
  const part = (module: string): string =>
    `dist/parts/${readdirSync(at('dist/parts')).find((name) => name.startsWith(module) && name.endsWith('.js'))}`

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-build-'))
    for (const file of ['build.js', 'bundle.js', 'package.json', 'package-lock.json', 'tsconfig.json']) {
      cpSync(join(packageRoot, file), at(file))
    }
    symlinkSync(join(packageRoot, 'node_modules'), at('node_modules'))
    for (const name of ['api/operations/backup', 'api/operations/upstream', 'compiler', 'workers'])
      mkdirSync(at(name), { recursive: true })
    write('api/main.ts', "console.log(await import('../compiler/one.js'))\n")
    write('compiler/one.ts', 'export const one = 1\n')
    for (const thread of [
      'workers/thread',
      'workers/hashThread',
      'api/operations/backup/prepareThread',
      'api/operations/upstream/readThread',
    ])
      write(`${thread}.ts`, 'export const thread = 1\n')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('happens once, and not again when nothing changed', () => {
    expect(builds()).to.equal(true)
    expect(builds()).to.equal(false)
  })

  it('happens when a source changed, however it is dated', () => {
    const { atime, mtime } = statSync(at('compiler/one.ts'))
    write('compiler/one.ts', 'export const one = 2\n')
    utimesSync(at('compiler/one.ts'), atime, mtime)
    expect(builds()).to.equal(true)
    expect(readFileSync(at(part('one')), 'utf8')).to.contain('one = 2')
    expect(builds()).to.equal(false)
  })

  it('leaves no file of a source that was moved or removed', () => {
    renameSync(at('compiler/one.ts'), at('compiler/moved.ts'))
    write('api/main.ts', "console.log(await import('../compiler/moved.js'))\n")
    expect(builds()).to.equal(true)
    const [moved, map, ...others] = readdirSync(at('dist/parts')).sort()
    expect([`dist/parts/${moved}`, map, others]).to.deep.equal([part('moved'), `${moved}.map`, []])
    renameSync(at('compiler/moved.ts'), at('compiler/one.ts'))
    write('api/main.ts', "import { one } from '../compiler/one.js'\nconsole.log(one)\n")
    expect(builds()).to.equal(true)
    expect(existsSync(at('dist/parts'))).to.equal(false)
    expect(builds()).to.equal(false)
  })

  it('mends what is not as it left it', () => {
    for (const change of [
      () => write('dist/workers/thread.js', 'export const thread = 3\n'),
      () => rmSync(at('dist/workers/thread.js')),
      () => write('dist/workers/older.js', 'export const older = 1\n'),
    ]) {
      change()
      expect(builds()).to.equal(true)
      expect(builds()).to.equal(false)
    }
    expect(existsSync(at('dist/workers/older.js'))).to.equal(false)
  })

  it('that failed is no build', () => {
    write('api/main.ts', 'export const main: string = 1\n')
    for (const _ of [1, 2]) {
      expect(spawnSync(process.execPath, [at('build.js')], { cwd: folder }).status).to.equal(1)
    }
    write('api/main.ts', 'export const main: number = 1\n')
    expect(builds()).to.equal(true)
  })

  it('is asked for wherever what it makes is run', () => {
    const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { scripts: Record<string, string> }
    const { build, prepare, prestart, predemo } = scripts
    expect([prepare, prestart, predemo]).to.deep.equal([build, build, build])
    expect(build).to.equal('node build.js')
  })
})
