import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import { openMongo } from '../../api/store/mongo/mongo.js'
import type { Change, Store } from '../../api/store/store.js'
import { keyId, parseVaultKey, seal } from '../../compiler/core/vault.js'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { childArguments } from '../childArguments.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import { onMongodb } from '../store/onMongodb.js'
import { mongoPlace } from '../store/places.js'

const newKey = () => randomBytes(32).toString('hex')
const idOf = (key: string) => keyId(parseVaultKey(key))
const secret = 'the-ilo-password-of-e1'
const secure = 'the-value-of-a-secure-parameter'

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command line as a child process on a store, with nothing of this process's environment. */
const run = (env: Record<string, string>, ...words: string[]): Ran => {
  const main = childArguments('api/main')
  const { status, stdout, stderr } = spawnSync(process.execPath, [...main, ...words], {
    env: {
      PATH: process.env.PATH,
      WORKERS: '1',
      LOG_LEVEL: 'warn',
      PORT: '0',
      ADMIN_PASSWORD: 'a-Password-of-tests',
      ...env,
    },
    encoding: 'utf8',
    input: '{}',
    timeout: 60_000,
  })
  return { code: status, out: stdout, err: stderr }
}

/** Keys of every way to hold something sealed: URL keys, a password, a secure parameter. */
async function fill(app: TestServer): Promise<void> {
  const net = await smallNetwork(app)
  await net.addService('news')
  await app.ok('POST', '/api/1.3/deliveryservices/xmlId/news/urlkeys/generate')
  await net.addServer({ iloPassword: secret })
  await app.ok('POST', '/api/1.3/parameters', { name: 'p', configFile: 'own.config', value: secure, secure: true })
}

async function held(app: TestServer): Promise<string[]> {
  const { data, vault } = app.service.services
  const servers = data.all('servers').flatMap(({ iloPassword }) => iloPassword ?? [])
  const parameters = data.all('parameters').flatMap(({ secure, value }) => (secure ? [value] : []))
  return [...servers, ...parameters, ...data.all('urlSigKeys').map(({ sealed }) => vault.unseal(sealed))]
}

describe('the fingerprint of the vault key', function () {
  this.timeout(240_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-fingerprint-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))
  const [first, second, third] = [newKey(), newKey(), 'a passphrase, with: commas and spaces']
  let kept: string[]

  const opened = async <T>(key: string | null, use: (app: TestServer) => Promise<T>): Promise<T> => {
    const app = await buildServer({ dataDir, env: key === null ? {} : { VAULT_KEY: key } })
    try {
      return await use(app)
    } finally {
      await app.close()
    }
  }
  const raw = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openEmbedded({ dataDir })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }
  /** Writes into the store what an earlier version or another key would have left there. */
  const put = (make: (change: Change) => Change['after'], kinds: readonly string[]) =>
    raw(async (store) => {
      const { revision, records } = await store.load()
      const changes = records
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ kind, record }) => ({
          kind,
          id: record.id,
          before: record,
          after: make({ kind, id: record.id, before: null, after: record }),
        }))
      const entry = {
        revision: revision + 1,
        time: new Date().toISOString(),
        user: 'test',
        id: randomUUID(),
        requestId: 'test',
        changes,
        log: [],
      }
      expect(await store.append([entry])).to.equal(1)
    })
  const fingerprint = () =>
    raw(
      async (store) => (await store.load()).records.find(({ kind }) => kind === 'vaultKey')?.record.fingerprint ?? null,
    )

  before(async () => {
    kept = await opened(first, async (app) => {
      await fill(app)
      return held(app)
    })
  })

  it('is in the store from the first start on', async () => {
    expect(kept).to.have.length(3).and.to.include.members([secret, secure])
    expect(await fingerprint()).to.equal(idOf(first))
  })

  for (const words of [
    ['serve'],
    ['export', '-'],
    ['import', '-'],
    ['user', 'password', 'admin'],
    ['compile', '--cdn', 'net', '--out', join(dataDir, 'out')],
  ]) {
    it(`refuses another key: ${words.slice(0, 2).join(' ')}`, () => {
      const { code, out, err } = run({ DATA_DIR: dataDir, VAULT_KEY: second }, ...words)
      expect(code).to.equal(1)
      expect(out).to.equal('')
      const line = err.trim().split('\n')
      expect(line, err).to.have.length(1)
      expect(line[0]).to.contain(idOf(first)).and.to.contain(idOf(second)).and.to.contain('vault rotate')
      expect(existsSync(join(dataDir, 'out'))).to.equal(false)
    })
  }

  it('refuses to make a key over what is sealed', async () => {
    const { code, err } = run({ DATA_DIR: dataDir }, 'serve')
    expect(code).to.equal(1)
    expect(err.trim().split('\n')).to.have.length(1)
    expect(err).to.contain(idOf(first)).and.to.contain('VAULT_KEY is not set').and.to.contain('vault-key')
    expect(existsSync(join(dataDir, 'vault-key'))).to.equal(false)
    expect(await opened(first, held)).to.deep.equal(kept)
  })

  it('refuses a file of another key, naming the file', () => {
    writeFileSync(join(dataDir, 'vault-key'), `${second}\n`)
    const { code, err } = run({ DATA_DIR: dataDir }, 'serve')
    unlinkSync(join(dataDir, 'vault-key'))
    expect(code).to.equal(1)
    expect(err).to.contain('vault-key has the fingerprint').and.to.contain(idOf(first)).and.to.contain(idOf(second))
  })

  it('is refused in imports of another key, on the command line and over HTTP, and nothing is imported', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'edgewright-elsewhere-'))
    const file = join(elsewhere, 'all.json')
    expect(run({ DATA_DIR: dataDir, VAULT_KEY: first }, 'export', file, '--secrets').code).to.equal(0)
    const text = readFileSync(file, 'utf8')
    expect(text).to.not.contain(secret).and.to.not.contain(secure)
    const refused = run({ DATA_DIR: join(elsewhere, 'store'), VAULT_KEY: second }, 'import', file)
    expect(refused.code).to.equal(1)
    const paths = [/servers\[\d+\]\.iloPassword: /, /parameters\[\d+\]\.value: /, /urlSigKeys\[\d+\]\.sealed: /]
    for (const path of paths) expect(refused.err).to.match(path)
    expect(refused.err).to.contain(idOf(first)).and.to.contain(idOf(second))
    const app = await buildServer({ env: { VAULT_KEY: second } })
    const { status, text: said } = await app.request('POST', '/api/1.3/import', JSON.parse(text))
    expect(status).to.equal(400)
    for (const path of paths) expect(said).to.match(path)
    expect((await app.ok('GET', '/api/1.3/servers')).body.response).to.deep.equal([])
    await app.close()
    const same = await buildServer({ env: { VAULT_KEY: first } })
    await same.ok('POST', '/api/1.3/import', JSON.parse(text))
    expect(await held(same)).to.have.members(kept)
    await same.close()
    rmSync(elsewhere, { recursive: true, force: true })
  })

  it('comes to a store from before that the key opens, and what lay in clear is sealed', async () => {
    await put(
      ({ kind, after }) => {
        if (kind === 'vaultKey') return null
        if (kind === 'servers' && after!.iloPassword !== null) return { ...after!, iloPassword: secret }
        return kind === 'parameters' && after!.secure ? { ...after!, value: secure } : after
      },
      ['vaultKey', 'servers', 'parameters'],
    )
    expect(await fingerprint()).to.equal(null)
    const wrong = run({ DATA_DIR: dataDir, VAULT_KEY: second }, 'serve')
    expect(wrong.code).to.equal(1)
    expect(wrong.err).to.contain('does not open all').and.to.contain('urlSigKeys').and.to.contain('vault rotate')
    expect(run({ DATA_DIR: dataDir }, 'serve').err).to.contain('no new key is made')
    expect(await fingerprint()).to.equal(null)
    expect(await opened(first, held)).to.deep.equal(kept)
    expect(await fingerprint()).to.equal(idOf(first))
    const { records } = await raw((store) => store.load())
    expect(JSON.stringify(records)).to.not.contain(secret).and.to.not.contain(secure)
  })

  it('of a mixture: no start, and a rotation that is given all keys mends it', async () => {
    // A start with a lost key would have sealed with a new one what came after.
    const plain = '{"key0":"made with another key"}'
    await put(
      ({ after }) => ({ ...after!, sealed: seal(parseVaultKey(third), plain, randomBytes(12)) }),
      ['urlSigKeys'],
    )
    const started = run({ DATA_DIR: dataDir, VAULT_KEY: first }, 'serve')
    expect(started.code).to.equal(1)
    expect(started.err).to.contain('urlSigKeys').and.to.contain(idOf(third)).and.to.contain('VAULT_KEY_OLD')

    const revision = () => raw((store) => store.head())
    const at = await revision()
    const short = run({ DATA_DIR: dataDir, VAULT_KEY: second, VAULT_KEY_OLD: first }, 'vault', 'rotate')
    expect(short.code).to.equal(1)
    expect(short.err)
      .to.match(/nothing was changed; .* 1 cannot be opened/)
      .and.to.match(/urlSigKeys \d+, sealed: /)
    expect(await revision()).to.equal(at)

    const keys = { VAULT_KEY_OLD: first, VAULT_KEY_OLD_2: third }
    const mended = run({ DATA_DIR: dataDir, VAULT_KEY: second, ...keys }, 'vault', 'rotate')
    expect(mended.code, mended.err).to.equal(0)
    expect(mended.out).to.equal('3 records are sealed with the new key.\n')
    expect(await revision()).to.equal(at + 1)
    expect(await opened(second, held)).to.deep.equal([secret, secure, plain])
  })

  it('gives up what no key opens only when told to, and says what', async () => {
    await put(
      ({ kind, after }) => {
        const sealed = seal(randomBytes(32), 'nobody has the key', randomBytes(12))
        if (kind === 'urlSigKeys') return { ...after!, sealed }
        if (kind === 'servers') return after!.iloPassword === null ? after : { ...after!, iloPassword: { sealed } }
        return after!.secure ? { ...after!, value: { sealed: sealed.slice(0, -3) } } : after
      },
      ['urlSigKeys', 'servers', 'parameters'],
    )
    const given = { DATA_DIR: dataDir, VAULT_KEY: first, VAULT_KEY_OLD: second }
    const told = run(given, 'vault', 'rotate')
    expect(told.err).to.contain('3 cannot be opened')
    const dropped = run(given, 'vault', 'rotate', '--drop')
    expect(dropped.code, dropped.err).to.equal(0)
    for (const what of ['urlSigKeys', 'iloPassword', 'value']) expect(dropped.out).to.contain(what)
    expect(await opened(first, held)).to.deep.equal([''])
  })

  it('is the old one or the new one when a rotation is killed, whenever that is', async () => {
    await opened(first, async (app) => {
      await app.ok('POST', '/api/1.3/deliveryservices/xmlId/news/urlkeys/generate')
    })
    writeFileSync(join(dataDir, 'vault-key'), `${first}\n`)
    const left = await opened(first, held)
    let [from, to] = [first, second]
    for (const wait of [0, 20, 60, 200, 1500]) {
      const before = new Set(readdirSync(dataDir))
      const main = [...childArguments('api/main'), 'vault', 'rotate']
      const child = spawn(process.execPath, main, {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, VAULT_KEY: to, VAULT_KEY_OLD: from },
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      // It has opened the store once there is the file that says so.
      while (child.exitCode === null && readdirSync(dataDir).every((name) => before.has(name))) await delay(2)
      await delay(wait)
      child.kill('SIGKILL')
      await ended
      expect([idOf(from), idOf(to)]).to.include(await fingerprint())
      expect(run({ DATA_DIR: dataDir, VAULT_KEY: to, VAULT_KEY_OLD: from }, 'vault', 'rotate').code).to.equal(0)
      // The generated key's file came along, so that a start without VAULT_KEY works.
      expect(await opened(null, held)).to.deep.equal(left)
      ;[from, to] = [to, from]
    }
  })

  it('is looked for in what an operator puts back: a lost file that comes again', async () => {
    renameSync(join(dataDir, 'vault-key'), join(dataDir, 'away'))
    expect(run({ DATA_DIR: dataDir }, 'serve').err).to.contain('no new key is made')
    renameSync(join(dataDir, 'away'), join(dataDir, 'vault-key'))
    expect(await opened(null, held)).to.have.length(2)
  })
})

onMongodb('two instances with different vault keys', (mongodb) => {
  it('on one store: the second refuses, and a rotation stops those that run', async function () {
    this.timeout(240_000)
    const place = mongoPlace(mongodb().uri)
    const [first, second] = [newKey(), newKey()]
    const env = (key: string) => ({ MONGODB_URI: place.uri, SESSION_SECRET: 'a secret that all share', VAULT_KEY: key })
    const app = await buildServer({ env: env(first) })
    await fill(app)
    const kept = await held(app)
    const refused = run({ ...env(second), DATA_DIR: app.dataDir }, 'serve')
    expect(refused.code).to.equal(1)
    expect(refused.err.trim().split('\n')).to.have.length(1)
    expect(refused.err).to.contain(idOf(first)).and.to.contain(idOf(second))

    // Nobody should, but a rotation beneath a running instance costs it nothing but its work.
    const rotated = run({ ...env(second), VAULT_KEY_OLD: first, DATA_DIR: app.dataDir }, 'vault', 'rotate')
    expect(rotated.code, rotated.err).to.equal(0)
    const write = await app.request('POST', '/api/1.3/divisions', { name: 'late' })
    expect(write.status).to.equal(503)
    expect((await app.anonymous.get('/readyz')).text)
      .to.contain(idOf(first))
      .and.to.contain(idOf(second))
    await app.close()
    const other = await buildServer({ env: env(second) })
    expect(await held(other)).to.deep.equal(kept)
    expect((await other.ok('GET', '/api/1.3/divisions')).text).to.not.contain('late')
    await other.close()
    await place.remove()
  })

  it('that start on one empty store at once: one of them refuses', async function () {
    this.timeout(120_000)
    const place = mongoPlace(mongodb().uri)
    const keys = [newKey(), newKey()]
    const starts = await Promise.allSettled(
      keys.map((key) =>
        buildServer({ env: { MONGODB_URI: place.uri, SESSION_SECRET: 'a secret that all share', VAULT_KEY: key } }),
      ),
    )
    const [won, lost] = [
      starts.filter(({ status }) => status === 'fulfilled'),
      starts.filter(({ status }) => status === 'rejected'),
    ]
    expect([won.length, lost.length]).to.deep.equal([1, 1])
    expect(String((lost[0] as PromiseRejectedResult).reason))
      .to.contain(idOf(keys[0]!))
      .and.to.contain(idOf(keys[1]!))
    const store = await openMongo({ uri: place.uri })
    const fingerprints = (await store.load()).records.filter(({ kind }) => kind === 'vaultKey')
    expect(fingerprints).to.have.length(1)
    await store.close()
    await (won[0] as PromiseFulfilledResult<TestServer>).value.close()
    await place.remove()
  })
})
