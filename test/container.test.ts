import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import { readSettings } from '../api/config/settings.js'
import { variables } from '../api/config/variables.js'

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8')
const instructions = read('Dockerfile')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const all = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
/** The settings that the image itself has. */
const imageEnv = Object.fromEntries(
  all('ENV').flatMap((line) => line.split(' ').map((one) => one.split('=', 2) as [string, string])),
)

/** What Docker would be given, and do with it, as far as that can be tried without it. */
describe('the container', function () {
  this.timeout(180_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-container-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is built of the sources, and of nothing that is secret or was made here', () => {
    for (const path of [
      'api/main.ts',
      'compiler/data/model.ts',
      'templates/remap.config.hbs',
      'build.js',
      'bundle.js',
      'LICENSE',
    ])
      expect(isInContext(path), path).to.equal(true)
    for (const path of ['.env', '.env.local', 'api/.env', 'data/vault-key', 'data/store.mdb', 'out/e1/remap.config'])
      expect(isInContext(path), path).to.equal(false)
    for (const path of [
      '.git/config',
      'node_modules/koa/package.json',
      'dist/api/main.js',
      '.npmrc',
      'a.backup',
      'test',
    ])
      expect(isInContext(path), path).to.equal(false)
  })

  it('builds from what it is given, serves from what it keeps, is healthy, and ends when asked to', async () => {
    const [built, image] = [join(folder, 'built'), join(folder, 'image')]
    for (const name of readdirSync(packageRoot).filter(isInContext))
      cpSync(join(packageRoot, name), join(built, name), { recursive: true })
    symlinkSync(join(packageRoot, 'node_modules'), join(built, 'node_modules'))
    const build = spawnSync(process.execPath, ['build.js'], { cwd: built, encoding: 'utf8' })
    expect(build.status, build.stdout).to.equal(0)

    copyToImage(built, image)
    const [, target, command] = /ln -s \/edgewright\/(\S+) \/usr\/local\/bin\/(\S+)/.exec(all('RUN').join('\n'))!
    expect(all('RUN').join('\n')).to.contain(`chmod +x ${target}`)
    chmodSync(join(image, target!), 0o755)
    mkdirSync(join(folder, 'bin'))
    symlinkSync(join(image, target!), join(folder, 'bin', command!))

    const env = {
      ...imageEnv,
      PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: 'a-Password-of-tests',
      WORKERS: '1',
    }
    const [program, ...words] = JSON.parse(all('CMD')[0]!) as [string, ...string[]]
    const running = spawn(program, words, { env, cwd: image, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => running.once('exit', (code, signal) => resolve(code ?? signal)))
    const port = await new Promise<string>((resolve, reject) => {
      let text = ''
      running.stdout.on('data', (chunk) => {
        text += chunk
        const url = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(text)?.[1]
        if (url) resolve(url)
      })
      void ended.then(() => reject(new Error(text)))
    })
    const health = JSON.parse(all('HEALTHCHECK')[0]!.replace(/^.* CMD /, '')) as [string, ...string[]]
    const healthy = (at: string) => spawnSync(health[0], health.slice(1), { env: { ...env, PORT: at } }).status
    expect(healthy(port)).to.equal(0)
    expect(health.join(' ')).to.contain('/livez')
    const { status, stdout } = spawnSync(command!, ['--version'], { env, encoding: 'utf8', cwd: folder })
    expect([status, stdout.trim()]).to.deep.equal([0, JSON.parse(read('package.json')).version])
    running.kill('SIGTERM')
    expect(await ended).to.equal(0)
    expect(healthy(port)).to.equal(1)
  })

  it('needs nothing at run time that is only there for development', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    const sources = ['api', 'compiler', 'workers'].flatMap((name) =>
      readdirSync(join(packageRoot, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(name, file)),
    )
    // Types are gone when it runs.
    const imports = /^\s*(?:import|export) (?!type)[^'"]*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm
    const strays = sources.flatMap((file) =>
      [...read(file).matchAll(imports)]
        .map(([, from, dynamic]) => from ?? dynamic!)
        .filter((name) => !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !(name in dependencies))
        .map((name) => `${file} needs ${name}`),
    )
    expect(strays).to.deep.equal([])
  })

  it('passes every setting through that the image does not have, and is given the time to end', () => {
    const compose = read('compose.yaml')
    const passed = [...compose.matchAll(/^ {6}([A-Z_]+): \$\{\1:[?-]\}$/gm)].map(([, name]) => name)
    const rest = Object.keys(variables.properties).filter((name) => !(name in imageEnv) && name !== 'MONGODB_URI')
    expect(passed).to.have.members(rest)
    const grace = /^ {4}stop_grace_period: \$\{STOP_GRACE_PERIOD:-(\d+)s\}$/m.exec(compose)?.[1]
    expect(Number(grace)).to.be.at.least(readSettings({}).shutdownMilliseconds / 1000 + 10)
  })
})

/** What the image takes of what was built: files go into the folder that is named last, a folder becomes it. */
function copyToImage(built: string, image: string): void {
  for (const line of all('COPY').filter((one) => one.startsWith('--from=build '))) {
    const [to, ...sources] = line.split(' ').slice(1).reverse() as [string, ...string[]]
    for (const source of sources) {
      const name = source.replace('/edgewright/', '')
      const target = to === './' ? join(image, name) : join(image, to)
      cpSync(join(built, name), target, { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** As Docker reads `.dockerignore`: the last line that matches decides, and what is in a folder goes with it. */
function isInContext(path: string): boolean {
  let isIn = true
  for (const line of read('.dockerignore')
    .split('\n')
    .filter((one) => one !== '' && !one.startsWith('#'))) {
    const pattern = line.replace(/^!/, '')
    const parents = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
    if (parents.some((one) => asRegExp(pattern).test(one))) isIn = line.startsWith('!')
  }
  return isIn
}

const asRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('**/', '(.+/)?').replaceAll('*', '[^/]*')}$`)
