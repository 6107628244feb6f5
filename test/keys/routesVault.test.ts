import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { importInto } from '../../api/cli/transfer.js'
import { exportDocument } from '../../api/operations/transfer/transfer.js'
import { system } from '../../api/schema/privileges.js'
import { keyId, parseVaultKey, sealedWith } from '../../compiler/core/vault.js'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { childArguments } from '../childArguments.js'
import { smallNetwork } from '../resources/smallNetwork.js'

const urlKeys = '/api/1.3/deliveryservices/xmlId/news/urlkeys'
const sslKeys = '/api/1.3/deliveryservices/xmlId/news/sslkeys'

describe('the vault command', function () {
  this.timeout(60_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-rotate-'))
  const [second, third] = [randomBytes(32).toString('hex'), 'a passphrase that is long enough']
  let plain: string[]
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const rotate = (env: Record<string, string>) => {
    const main = childArguments('api/main')
    const { status, stdout, stderr } = spawnSync(process.execPath, [...main, 'vault', 'rotate'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, WORKERS: '1', ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const withServer = async <T>(env: Record<string, string>, use: (app: TestServer) => Promise<T>): Promise<T> => {
    const app = await buildServer({ dataDir, env })
    try {
      return await use(app)
    } finally {
      await app.close()
    }
  }
  const read = async (app: Client) => [(await app.ok('GET', urlKeys)).text, (await app.ok('GET', sslKeys)).text]
  const sealers = ({ service }: TestServer) => {
    const { data } = service.services
    return [...data.all('urlSigKeys'), ...data.all('sslKeys')].map(({ sealed }) => sealedWith(sealed))
  }

  before(async () => {
    plain = await withServer({}, async (app) => {
      const net = await smallNetwork(app)
      await net.addService('news')
      await app.ok('POST', `${urlKeys}/generate`)
      const place = { country: 'US', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
      const body = { key: 'news', hostname: '*.news.net.example', ...place }
      await app.ok('POST', '/api/1.3/deliveryservices/sslkeys/generate', body)
      return read(app)
    })
  })

  it('refuses keys that are missing, equal, too short or not the ones in use', () => {
    expect(rotate({}).stderr).to.contain('VAULT_KEY must be set to the new key')
    expect(rotate({ VAULT_KEY: 'short' }).stderr).to.contain('VAULT_KEY must be 32 bytes')
    const kept = readFileSync(join(dataDir, 'vault-key'), 'utf8')
    const equal = rotate({ VAULT_KEY: kept })
    expect(equal.stderr).to.contain('the same key')
    // Which key is in use is not known from a file that is not there.
    renameSync(join(dataDir, 'vault-key'), join(dataDir, 'away'))
    const other = rotate({ VAULT_KEY: second, VAULT_KEY_OLD: third })
    renameSync(join(dataDir, 'away'), join(dataDir, 'vault-key'))
    expect(other.stderr).to.match(
      /(urlSig|ssl)Keys \d+, sealed: sealed with vault key [0-9a-f]{16}, but the key in use is/,
    )
    expect(other.stderr).to.contain('nothing was changed').and.to.contain('2 cannot be opened')
    expect(other.status).to.equal(1)
    for (const { stderr } of [other, equal]) expect(stderr).to.not.contain(kept.trim())
  })

  it('seals everything anew, from the generated key too, in one commit', async () => {
    const { status, stdout, stderr } = rotate({ VAULT_KEY: second })
    expect(status, stderr).to.equal(0)
    expect(stdout).to.equal('2 records are sealed with the new key.\n')
    // A start without VAULT_KEY goes on with the new one.
    expect(readFileSync(join(dataDir, 'vault-key'), 'utf8').trim()).to.equal(second)
    expect(statSync(join(dataDir, 'vault-key')).mode & 0o777).to.equal(0o600)
    await withServer({}, async (app) => {
      expect(await read(app)).to.deep.equal(plain)
      expect(new Set(sealers(app))).to.deep.equal(new Set([keyId(parseVaultKey(second))]))
      const changes = (await app.ok('GET', '/api/1.3/changes?limit=1000')).body.response
      const [entry] = changes.filter(({ log }: { log: { message: string }[] }) => log[0]!.message.startsWith('Sealed'))
      const said = `Sealed 2 records with the vault key of the fingerprint ${keyId(parseVaultKey(second))}`
      expect([entry.changes.length, entry.log[0].message]).to.deep.equal([2, said])
    })
  })

  it('leaves an export with secrets of use wherever the key is the same', async () => {
    const env = { VAULT_KEY: second }
    const keys = '/api/1.3/cdns/name/net/dnsseckeys'
    const [document, before] = await withServer(env, async (app) => {
      const terms = { ttl: 60, kskExpirationDays: 365, zskExpirationDays: 30 }
      await app.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', { key: 'net', name: 'net.example', ...terms })
      const { data, catalogue, vault } = app.service.services
      return [exportDocument(data, catalogue, { secrets: vault }), (await app.ok('GET', keys)).text] as const
    })
    const other = await buildServer({ env })
    await importInto(other.service, document)
    // Made anew since, which the document takes back.
    const { vault, committer, data: now } = other.service.services
    await committer.write({ user: system, requestId: 'made-anew' }, (transaction) => {
      for (const { id } of now.all('dnssecKeys')) transaction.update('dnssecKeys', id, { sealed: vault.seal('{}') })
    })
    await importInto(other.service, document)
    // The administrator's password came along, too.
    const admin = await other.login(other.admin.username, other.admin.password)
    expect(await read(admin)).to.deep.equal(plain)
    expect((await admin.ok('GET', keys)).text).to.equal(before)
    const { data, catalogue } = other.service.services
    expect(exportDocument(data, catalogue, { secrets: vault })).to.deep.equal(document)
    await other.close()
  })

  it('goes on from any key to any other, and can be repeated', async () => {
    expect(rotate({ VAULT_KEY: third, VAULT_KEY_OLD: second }).status).to.equal(0)
    const again = rotate({ VAULT_KEY: third, VAULT_KEY_OLD: second })
    expect(again.stdout).to.equal('0 records are sealed with the new key; 4 were sealed with it before.\n')
    await withServer({ VAULT_KEY: third }, async (app) => expect(await read(app)).to.deep.equal(plain))
  })
})
