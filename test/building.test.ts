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

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-build-'))
    for (const file of ['build.js', 'package.json', 'package-lock.json', 'tsconfig.json']) {
      cpSync(join(packageRoot, file), at(file))
    }
    symlinkSync(join(packageRoot, 'node_modules'), at('node_modules'))
    for (const name of ['api', 'compiler', 'workers']) mkdirSync(at(name))
    write('api/main.ts', "import { one } from '../compiler/one.js'\nconsole.log(one)\n")
    write('compiler/one.ts', 'export const one = 1\n')
    write('workers/thread.ts', 'export const thread = 1\n')
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
    expect(readFileSync(at('dist/compiler/one.js'), 'utf8')).to.contain('one = 2')
    expect(builds()).to.equal(false)
  })

  it('leaves no file of a source that was moved or removed', () => {
    renameSync(at('workers/thread.ts'), at('workers/moved.ts'))
    expect(builds()).to.equal(true)
    expect(readdirSync(at('dist/workers'))).to.deep.equal(['moved.js', 'moved.js.map'])
    rmSync(at('workers/moved.ts'))
    expect(builds()).to.equal(true)
    expect(existsSync(at('dist/workers'))).to.equal(false)
    expect(builds()).to.equal(false)
  })

  it('mends what is not as it left it', () => {
    for (const change of [
      () => write('dist/compiler/one.js', 'export const one = 3\n'),
      () => rmSync(at('dist/compiler/one.js')),
      () => write('dist/compiler/older.js', 'export const older = 1\n'),
    ]) {
      change()
      expect(builds()).to.equal(true)
      expect(builds()).to.equal(false)
    }
    expect(existsSync(at('dist/compiler/older.js'))).to.equal(false)
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
