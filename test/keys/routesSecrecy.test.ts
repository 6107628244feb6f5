import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect } from 'chai'
import pino from 'pino'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { childArguments } from '../childArguments.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import { issue } from './authority.js'

const refusedKey = 'AVerySpecialSecretThatWasRefused'

/** Everything private that the service came to know in this test, in forms that can be told apart from chance. */
const secrets: string[] = []

describe('private keys', function () {
  this.timeout(60_000)
  let app: TestServer
  let net: Network
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-secrecy-'))
  let logged = ''
  let isOpen = true
  before(async () => {
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        logged += String(chunk)
        done()
      },
    })
    app = await buildServer({ dataDir, log: pino({ level: 'trace' }, stream) })
    net = await smallNetwork(app)
    await net.addService('guarded', { protocol: 2 })
    await makeEveryKind(app)
    await beRefused(app)
  })
  after(async () => {
    if (isOpen) await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('are known to this test, of every kind', () => {
    expect(secrets.length).to.be.greaterThan(16 + 2 + 2)
    for (const secret of secrets) expect(secret.length, secret).to.be.greaterThan(20)
  })

  it('are not in the journal, the change log, the metrics or what administrators read', async () => {
    const service = app.service.services.data.by('deliveryServices', 'xmlId', 'guarded')[0]!
    for (const path of [
      '/api/1.3/changes?limit=1000',
      '/api/1.3/logs',
      '/metrics',
      '/readyz',
      `/api/1.3/deliveryservices/${service.id}`,
      '/api/1.3/sslkey_expirations',
      '/api/1.3/cdns/net/configs',
    ]) {
      const { text } = await app.get(path)
      expect(found(text), path).to.deep.equal([])
    }
    const changes = (await app.ok('GET', '/api/1.3/changes?limit=1000')).text
    expect(changes).to.contain('Added SSL keys guarded-1')
    expect(changes).to.not.contain('v1.')
  })

  it('are not in the logs, even of requests that were refused', async () => {
    await app.service.services.store.settled()
    expect(found(logged)).to.deep.equal([])
    expect(logged).to.not.contain(refusedKey)
  })

  it('are not in the files of the store, nor in exports', async () => {
    await app.service.services.store.settled()
    isOpen = false
    await app.close()
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const dump = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
    // What is not private can be found, so what is could be.
    expect(dump).to.contain('guarded.origin.example')
    expect(found(dump)).to.deep.equal([])
    expect(dump).to.not.contain(refusedKey)
    for (const more of [[], ['--secrets']]) {
      const main = childArguments('api/main')
      const { status, stdout, stderr } = spawnSync(process.execPath, [...main, 'export', '-', ...more], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, ADMIN_PASSWORD: app.admin.password, WORKERS: '1' },
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      })
      expect(status, stderr).to.equal(0)
      expect(stdout).to.contain('guarded')
      expect(found(stdout + stderr)).to.deep.equal([])
      expect(stdout.includes('"sealed"')).to.equal(more.length > 0)
    }
  })
})

async function makeEveryKind(app: TestServer): Promise<void> {
  const read = async (path: string) => (await app.ok('GET', `/api/1.3${path}`)).body.response
  await app.ok('POST', '/api/1.3/deliveryservices/xmlId/guarded/urlkeys/generate')
  secrets.push(...Object.values<string>(await read('/deliveryservices/xmlId/guarded/urlkeys')))

  const k = Buffer.from('this is the secret of the issuer').toString('base64url')
  const document = { issuer: { renewal_kid: '1', keys: [{ alg: 'HS256', kid: '1', kty: 'oct', k }] } }
  await app.ok('PUT', '/api/1.3/deliveryservices/guarded/urisignkeys', document)
  secrets.push(k)

  const issued = await issue({ name: 'guarded', hosts: ['*.guarded.net.example'] })
  const hostname = '*.guarded.net.example'
  const certificate = { crt: issued.crt, key: issued.key }
  await app.ok('POST', '/api/1.3/deliveryservices/sslkeys/add', { key: 'guarded', hostname, certificate })
  secrets.push(...privateLines(issued.key))
  const subject = { country: 'US', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
  await app.ok('POST', '/api/1.3/deliveryservices/sslkeys/generate', { key: 'guarded', hostname, ...subject })
  const generated = await read('/deliveryservices/xmlId/guarded/sslkeys?decode=true')
  secrets.push(...privateLines(generated.certificate.key))

  const terms = { ttl: 60, kskExpirationDays: 365, zskExpirationDays: 30 }
  await app.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', { key: 'net', name: 'net.example', ...terms })
  const zones = Object.values<Record<'zsk' | 'ksk', { private: string }[]>>(await read('/cdns/name/net/dnsseckeys'))
  for (const { zsk, ksk } of zones) {
    for (const key of [...zsk, ...ksk]) {
      const text = Buffer.from(key.private, 'base64').toString()
      secrets.push(/^PrivateExponent: (\S+)/m.exec(text)![1]!, /^Prime1: (\S+)/m.exec(text)![1]!)
    }
  }
}

/** Requests that hold something private and cannot be done. */
async function beRefused(app: TestServer): Promise<void> {
  const post = (path: string, body: unknown) => app.request('POST', `/api/1.3/deliveryservices${path}`, body)
  const pem = `-----BEGIN PRIVATE KEY-----\n${refusedKey}\n-----END PRIVATE KEY-----\n`
  const answers = [
    await post('/sslkeys/add', { key: 'guarded', certificate: { crt: 'none', key: pem } }),
    await post('/sslkeys/add', { key: 'nobody', certificate: { crt: 'none', key: pem } }),
    await post('/guarded/urisignkeys', { issuer: { keys: [{ kid: '1', k: refusedKey }] } }),
    await post('/guarded/urisignkeys', `{"issuer": "${refusedKey}`),
  ]
  for (const { status, text } of answers) {
    expect(status).to.be.within(400, 404)
    expect(text).to.not.contain(refusedKey)
  }
}

/** The middle lines of a PEM text; the first says only what kind of key it is. */
const privateLines = (pem: string) => pem.trim().split('\n').slice(2, -2)

/** The secrets a text holds: as they are, in base64 at any offset, or in hex. */
function found(text: string): string[] {
  return secrets.filter((secret) => forms(secret).some((form) => text.includes(form)))
}

function forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Whole groups of three bytes, from each of the three places a group can begin.
  const inBase64 = [0, 1, 2].map((start) => bytes.subarray(start, start + 18).toString('base64'))
  return [secret.slice(0, 60), ...inBase64, bytes.toString('hex'), Buffer.from(secret, 'base64').toString('latin1')]
}
