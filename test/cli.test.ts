import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import { childArguments } from './childArguments.js'
import { vaultKeyText } from './vaultKey.js'

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

describe('the command line', function () {
  this.timeout(180_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-cli-'))
  })
  /** Services that a test began. What is left of one that failed would hold the folder of all that follow. */
  const begun: ChildProcess[] = []
  afterEach(async () => {
    for (const child of begun.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const env = (dataDir: string) => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: join(folder, dataDir),
    ADMIN_PASSWORD: 'a-Password-of-tests',
    WORKERS: '1',
    PORT: '0',
    LOG_LEVEL: 'info',
    VAULT_KEY: vaultKeyText,
  })
  const main = childArguments('api/main')
  const run = (dataDir: string, ...words: string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...main, ...words], {
      env: env(dataDir),
      encoding: 'utf8',
      cwd: packageRoot,
    })
    return { code: status, out: stdout, err: stderr }
  }
  const serve = (dataDir: string) => {
    const child = spawn(process.execPath, [...main, 'serve'], { env: env(dataDir), cwd: packageRoot })
    begun.push(child)
    return child
  }
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  it('loads the sample, compiles the fleet, and exports what it imports', () => {
    const demo = run('one', 'demo', '--once', '--out', join(folder, 'out'))
    expect(demo.code, demo.err).to.equal(0)
    expect(demo.out).to.match(/\d+ caches, \d+ files/)
    expect(readdirSync(join(folder, 'out'))).to.include('edge-chi-01')
    expect(readFileSync(join(folder, 'out/edge-chi-01/remap.config'), 'utf8')).to.contain('map http://edge-chi-01.vod.')
    for (const secrets of [[], ['--secrets']]) {
      const [a, b] = [join(folder, `a${secrets.length}.json`), join(folder, `b${secrets.length}.json`)]
      expect(run('one', 'export', a, ...secrets).code).to.equal(0)
      const imported = run(`two${secrets.length}`, 'import', a)
      expect(imported.code, imported.err).to.equal(0)
      expect(run(`two${secrets.length}`, 'export', b, ...secrets).code).to.equal(0)
      expect(readFileSync(b, 'utf8')).to.equal(readFileSync(a, 'utf8'))
    }
    expect(readFileSync(join(folder, 'a0.json'), 'utf8')).to.not.match(/passwordHash|"sealed"|SCRYPT/)
  })

  it('backs up and restores everything, from the store or from a running service', async () => {
    const files = ['a', 'b', 'c', 'cut'].map((name) => join(folder, `${name}.backup`)) as [
      string,
      string,
      string,
      string,
    ]
    const [first, second, third, cut] = files
    expect(run('one', 'backup', first).code).to.equal(0)
    const server = serve('one')
    const url = await listening(server)
    const api = async (path: string, body: object, cookie = '') =>
      fetch(`${url}/api/1.3/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const session = (await api('user/login', { u: 'admin', p: 'a-Password-of-tests' })).headers.getSetCookie()[0]!
    const made = (await (
      await api('tokens', { description: 'backup', scopes: ['backup'] }, session.split(';')[0])
    ).json()) as {
      response: { token: string }
    }
    const remote = spawn(process.execPath, [...main, 'backup', second], {
      env: { ...env('none'), EDGEWRIGHT_URL: url, EDGEWRIGHT_TOKEN: made.response.token },
    })
    let said = ''
    remote.stderr.on('data', (chunk) => {
      said += chunk
    })
    expect(await new Promise((resolve) => remote.once('exit', resolve)), said).to.equal(0)
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended

    const otherKey = spawnSync(process.execPath, [...main, 'restore', second], {
      env: { ...env('restored'), VAULT_KEY: 'another one than that of the backup' },
      encoding: 'utf8',
    })
    expect(otherKey.status).to.equal(1)
    expect(otherKey.stderr).to.match(/vault key of fingerprint [0-9a-f]{16}; the one here has [0-9a-f]{16}/)
    writeFileSync(cut, readFileSync(second).subarray(0, -100))
    expect(run('restored', 'restore', cut).err).to.contain(cut)
    expect(run('restored', 'restore', '--dry-run', second).out).to.contain('is whole')
    expect(existsSync(join(folder, 'restored', 'store.mdb'))).to.equal(false)
    const restored = run('restored', 'restore', second)
    expect(restored.code, restored.err).to.equal(0)
    expect(restored.out).to.match(/Restored revision \d+: \d+ records, \d+ journal entries/)
    expect(run('restored', 'restore', second).err).to.contain('--force')
    expect(run('restored', 'restore', '--force', second).code).to.equal(0)
    expect(run('restored', 'backup', third).code).to.equal(0)
    const lines = (file: string) => gunzipSync(readFileSync(file)).toString().split('\n').slice(1, -2)
    expect(lines(third)).to.deep.equal(lines(second))
    expect(lines(second).length).to.be.greaterThan(lines(first).length)
  })

  it('compiles one CDN, one cache, or says which there are', () => {
    const one = run('one', 'compile', '--cdn', 'stream', '--out', join(folder, 'single'), '--server', 'edge-chi-01')
    expect(one.code, one.err).to.equal(0)
    expect(readdirSync(join(folder, 'single'))).to.deep.equal(['edge-chi-01'])
    const unknown = run('one', 'compile', '--cdn', 'nowhere', '--out', join(folder, 'none'))
    expect(unknown.code).to.equal(1)
    expect(unknown.err).to.contain("there is no CDN 'nowhere'").and.to.contain('stream')
    expect(existsSync(join(folder, 'none'))).to.equal(false)
  })

  it('says what would keep CDNs from serving, and fails where something does', () => {
    const demo = run('one', 'doctor')
    expect(demo.code, demo.out + demo.err).to.equal(0)
    expect(demo.out)
      .to.match(/^stream:\n {2}warning /m)
      .and.not.to.include('  error  ')
    // Without secrets nothing was brought that is sealed, and snapshots are not imported.
    const imported = run('two0', 'doctor', '--cdn', 'stream', '--json')
    expect([imported.code, imported.err]).to.deep.equal([
      1,
      `edgewright: ${Number(/\d+/.exec(imported.err)?.[0])} of these keep clients from being served\n`,
    ])
    const codes = JSON.parse(imported.out).stream.map(({ code }: { code: string }) => code)
    expect(codes).to.include.members(['no-snapshot', 'https-without-certificate', 'signing-without-keys'])
    expect(run('one', 'doctor', '--cdn', 'nowhere').err).to.include("there is no CDN 'nowhere'; there are ")
  })

  it('refuses a document whole, with every fault and its path', () => {
    const document = file('bad.json', {
      cdns: [
        { name: 'good', domainName: 'good.example.net', dnssecEnabled: false },
        { name: 'no spaces allowed', domainName: 7 },
      ],
      nonsense: [],
      snapshots: [{ cdnId: 1, version: 1 }],
      divisions: { name: 'not a list' },
      regions: [{ name: 'r', divisionName: 'nowhere' }],
      cachegroups: [
        { name: 'a', shortName: 'a', typeName: 'EDGE_LOC', parentCachegroupName: 'b' },
        { name: 'b', shortName: 'b', typeName: 'EDGE_LOC', parentCachegroupName: 'a' },
      ],
      servers: ['text', null],
    })
    const refused = run('three', 'import', document)
    expect(refused.code).to.equal(1)
    for (const said of [
      'cdns[1]',
      'nonsense',
      'snapshots: ',
      'divisions',
      "regions[0]: divisionName: there is no division 'nowhere'",
      'cachegroups[0]',
      'servers[0]',
      'servers[1]',
    ]) {
      expect(refused.err, refused.err).to.contain(said)
    }
    run('three', 'export', join(folder, 'three.json'))
    expect(readFileSync(join(folder, 'three.json'), 'utf8')).to.not.contain('good.example.net')
    expect(run('three', 'import', file('broken.json', '{"cdns": [')).err).to.contain('not valid JSON')
    expect(run('three', 'import', join(folder, 'missing.json')).err).to.contain('cannot be read')
    const proto = run('three', 'import', file('proto.json', '{"__proto__": [{"name": "x"}], "constructor": [1]}'))
    expect(proto.code).to.equal(1)
    expect(proto.err).to.contain('there is no such collection')
  })

  it('keeps users and their passwords', () => {
    const added = run('one', 'user', 'add', 'olga', '--role', 'operations')
    expect(added.code, added.err).to.equal(0)
    expect(added.out).to.match(/The password of 'olga' is '\S{20}'/)
    expect(run('one', 'user', 'add', 'olga', '--role', 'operations').err).to.contain('already exists')
    expect(run('one', 'user', 'add', 'otto', '--role', 'king').err).to.contain("there is no role 'king'")
    expect(run('one', 'user', 'password', 'olga').code).to.equal(0)
    expect(run('one', 'user', 'password', 'nobody').code).to.equal(1)
  })

  it('says how it is used', () => {
    for (const words of [
      ['--help'],
      ['serve', '--help'],
      ['import', '--help'],
      ['export', '--help'],
      ['backup', '--help'],
      ['restore', '--help'],
      ['journal', 'trim', '--help'],
      ['compile', '--help'],
      ['user', 'add', '--help'],
    ]) {
      const help = run('none', ...words)
      expect(help.code, words.join(' ')).to.equal(0)
      expect(help.out).to.contain('Usage: edgewright')
    }
    expect(run('none', 'sing').code).to.equal(2)
    expect(run('none', 'compile', '--cdn', 'x').code).to.equal(2)
    expect(existsSync(join(folder, 'none'))).to.equal(false)
  })

  it('serves, refuses a second process on the same folder, and ends in order on SIGTERM', async () => {
    const server = serve('one')
    const url = await listening(server)
    expect((await fetch(`${url}/readyz`)).status).to.equal(200)
    const second = run('one', 'export', '-')
    expect(second.code).to.equal(1)
    expect(second.err).to.contain(join(folder, 'one'))
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    expect(await ended).to.equal(0)
  })

  it('refuses settings and folders it cannot use', () => {
    const bad = spawnSync(process.execPath, [...main, 'serve'], {
      env: { ...env('one'), PORT: 'seventy' },
      encoding: 'utf8',
      cwd: packageRoot,
    })
    expect(bad.status).to.equal(1)
    expect(bad.stderr).to.contain('PORT')
    const shared = spawnSync(process.execPath, [...main, 'serve'], {
      env: { ...env('one'), MONGODB_URI: 'mongodb://127.0.0.1:1' },
      encoding: 'utf8',
      cwd: packageRoot,
    })
    expect(shared.stderr).to.contain('SESSION_SECRET')
    const guessed = spawnSync(process.execPath, [...main, 'serve'], {
      env: { ...env('one'), SESSION_SECRET: 'fifteen letters' },
      encoding: 'utf8',
      cwd: packageRoot,
      timeout: 20_000,
    })
    expect(guessed.status).to.equal(1)
    expect(guessed.stderr).to.match(/^edgewright: SESSION_SECRET [^\n]*16 bytes[^\n]*\n$/)
    const notAFolder = file('a-file', 'text')
    const refused = spawnSync(process.execPath, [...main, 'serve'], {
      env: { ...env('one'), DATA_DIR: notAFolder },
      encoding: 'utf8',
      cwd: packageRoot,
    })
    expect(refused.status).to.equal(1)
    expect(refused.stderr).to.contain(notAFolder)
    chmodSync(notAFolder, 0o600)
  })
})

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const url = /"url":"([^"]+)"/.exec(text)
      if (url) resolve(url[1]!)
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)))
  })
}
