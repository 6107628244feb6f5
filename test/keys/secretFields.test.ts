import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import pino from 'pino'
import { importInto } from '../../api/cli/transfer.js'
import { sampleCdn } from '../../api/demo/sampleCdn.js'
import { bodySchema } from '../../api/operations/endpoint.js'
import { recordKinds } from '../../api/records/kinds/index.js'
import { sealedFields } from '../../api/schema/secrecy.js'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { childArguments } from '../childArguments.js'
import { everyWrite } from '../everyWrite.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import { routes } from '../routes.js'
import { onMongodb } from '../store/onMongodb.js'
import { mongoPlace } from '../store/places.js'
import { vaultKeyText } from '../vaultKey.js'

type Values = Record<string, unknown>

const declared = recordKinds.flatMap(({ kind, fields }) => sealedFields(fields).map((field) => ({ kind, ...field })))
const always = declared.filter(({ when }) => when === null).map(({ name }) => name)
const flagged = declared.flatMap(({ name, when }) => (when === null ? [] : [{ name, when }]))

/** Distinctive texts, each used once. */
const secrets: string[] = []
function newSecret(): string {
  secrets.push(`Xq7-this-is-secret-number-${secrets.length}-Zw9`)
  return secrets.at(-1)!
}

/** A body with every secret field it can carry set to a secret, and the flags that make them so. */
function tainted(body: unknown, path: string): unknown {
  if (Array.isArray(body)) return body.map((one) => tainted(one, path))
  if (typeof body !== 'object' || body === null) return body
  const copy: Values = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, tainted(value, path)]))
  for (const name of always) if (name in copy) copy[name] = newSecret()
  // What a body with such a field is called otherwise: the kind's own path, or the other fields of a parameter.
  const isParameter = 'configFile' in copy || 'config_file' in copy || path.startsWith('/api/1.3/parameters/')
  for (const { name, when } of flagged)
    if (isParameter && typeof copy[name] === 'string') Object.assign(copy, { [name]: newSecret(), [when]: true })
  return copy
}

/** The routes whose bodies are declared to hold a secret field. */
const carriers = routes
  .filter((route) => /"secret":true|"secretWhen"/.test(JSON.stringify(bodySchema(route))))
  .map(({ method, path }) => `${method} ${path}`)

/** Many forms begin alike: where none begins, none is, and that is soon seen. */
function found(text: string): string[] {
  const beginnings = new Set(secrets.flatMap((secret) => formsOf(secret).map((form) => form.slice(0, 16))))
  if (![...beginnings].some((beginning) => text.includes(beginning))) return []
  return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)))
}

/** As it is, in hex, and in base64 at any offset. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((start) => bytes.subarray(start, start + 24).toString('base64'))
  return [secret, bytes.toString('hex'), ...inBase64]
}

describe('secret fields', function () {
  this.timeout(240_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-fields-'))
  const carried = new Set<string>()
  let app: TestServer
  let logged = ''
  let isOpen = true

  before(async () => {
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        logged += String(chunk)
        done()
      },
    })
    app = await buildServer({ dataDir, log: pino({ level: 'trace' }, stream), env: { ACCESS_LOG: '1' } })
    await importInto(app.service, sampleCdn)
    const reader = await app.as('read-only')
    for await (const { route, path, body } of everyWrite(app)) {
      const [method] = route.split(' ') as [string]
      const count = secrets.length
      const own = tainted(body, path)
      if (secrets.length === count) {
        await app.ok(method, path, body)
        continue
      }
      await app.request(method, `${path}?dryRun=true`, own)
      await reader.request(method, path, own)
      await app.ok(method, path, own)
      // Most of what is made is in the way of itself.
      const { text } = await app.request(method, path, own)
      expect(found(text.replace(/"response".*/s, '')), `${route} sent twice`).to.deep.equal([])
      carried.add(route)
    }
    await importTainted(app)
  })
  after(async () => {
    if (isOpen) await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('were sent by every route that is declared to take one', () => {
    expect(declared.map(({ kind, name }) => `${kind}.${name}`)).to.include.members([
      'servers.iloPassword',
      'servers.xmppPasswd',
      'parameters.value',
    ])
    expect(carriers).to.include.members(['POST /servers', 'PUT /servers/:id', 'PUT /parameters/:id'])
    expect([...carried]).to.include.members(carriers)
    expect([...carried]).to.include.members(['POST /profiles/:id/parameters', 'POST /import'])
    expect(secrets.length).to.be.greaterThan(15)
  })

  it('are seen by administrators, as long as they are there', async () => {
    const texts = [(await app.ok('GET', '/api/1.3/parameters')).text]
    for (const { id } of (await app.ok('GET', '/api/1.3/servers')).body.response)
      texts.push((await app.ok('GET', `/api/1.3/servers/${id}`)).text)
    expect(found(texts.join('\n')).length).to.be.greaterThan(5)
  })

  const blind: readonly [role: string, tenant?: string][] = [
    ['read-only'],
    ['ort'],
    ['portal'],
    ['operations'],
    ['admin', 'media-house'],
  ]
  for (const [role, tenant = 'root'] of blind)
    it(`are in no answer to ${role} of ${tenant}`, async () => {
      const client = await app.as(role, { tenant })
      const leaks: string[] = []
      let answered = 0
      for (const path of await readable(app)) {
        const { status, text } = await client.get(path)
        if (status === 200) answered++
        if (found(text).length > 0) leaks.push(`${path}: ${found(text)[0]}`)
      }
      expect(answered).to.be.greaterThan(100)
      expect(leaks).to.deep.equal([])
    })

  it('are in no journal, change log, metric or export that anybody reads', async () => {
    for (const path of [
      '/api/1.3/logs',
      '/metrics',
      '/readyz',
      '/api/1.3/export',
      '/api/1.3/export?ids=true',
      '/api/1.3/backup',
    ])
      expect(found((await app.ok('GET', path)).text), path).to.deep.equal([])
    let changes = 0
    for (let since = 0; ; ) {
      const { body, text } = await app.ok('GET', `/api/1.3/changes?limit=1000&since=${since}`)
      expect(found(text)).to.deep.equal([])
      expect(text).to.not.contain('"v1.')
      changes += body.response.length
      if (body.next === since) break
      since = body.next
    }
    expect(changes).to.be.greaterThan(50)
  })

  it('are in no log line', () => {
    expect(logged).to.contain('PUT')
    expect(found(logged)).to.deep.equal([])
  })

  it('are never taken from what looks like a sealed one', async () => {
    const { vault } = app.service.services
    const sealed = vault.seal('what nobody typed')
    const [server] = (await app.ok('GET', '/api/1.3/servers?hostName=edge-nyc-01')).body.response
    const path = `/api/1.3/servers/${server.id}`
    for (const forged of [{ sealed }, [{ sealed }], [sealed]]) {
      expect((await app.request('PUT', path, { ...server, iloPassword: forged })).status).to.equal(400)
      const body = { name: 'forged', configFile: 'own.config', value: forged, secure: true }
      expect((await app.request('POST', '/api/1.3/parameters', body)).status).to.equal(400)
    }
    for (const text of [sealed, JSON.stringify({ sealed })]) {
      await app.ok('PUT', path, { ...server, iloPassword: text })
      expect((await app.ok('GET', path)).body.response[0].iloPassword).to.equal(text)
      secrets.push(text)
    }
  })

  it('are in no byte of the store, nor in exports, and come back with the next start', async () => {
    await app.service.services.store.settled()
    const { data } = app.service.services
    const clear = () => [...data.all('servers'), ...data.all('parameters').filter(({ secure }) => secure)]
    const before = JSON.stringify(clear())
    isOpen = false
    await app.close()
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const dump = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
    // What is not secret can be found, so what is could be.
    expect(dump).to.contain('edge-chi-01').and.to.contain('"iloPassword":{"sealed":"v1.')
    expect(found(dump)).to.deep.equal([])
    for (const more of [[], ['--ids'], ['--secrets']]) {
      const main = childArguments('api/main')
      const { status, stdout, stderr } = spawnSync(process.execPath, [...main, 'export', '-', ...more], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, WORKERS: '1' },
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      })
      expect(status, stderr).to.equal(0)
      expect(stdout).to.contain('tainted by import')
      expect(found(stdout + stderr), more[0]).to.deep.equal([])
      expect(stdout.includes('"iloPassword"')).to.equal(more[0] === '--secrets')
    }
    const again = await buildServer({ dataDir })
    const now = again.service.services.data
    const after = [...now.all('servers'), ...now.all('parameters').filter(({ secure }) => secure)]
    expect(JSON.stringify(after)).to.equal(before)
    await again.close()
  })
})

/** A document that sets every secret field there is, in records that are there and in new ones. */
async function importTainted(app: TestServer): Promise<void> {
  const document = (await app.ok('GET', '/api/1.3/export')).body
  const servers = document.servers
    .slice(0, 2)
    .map((server: Values) => ({ ...server, ...Object.fromEntries(always.map((name) => [name, newSecret()])) }))
  const own = { name: 'tainted by import', configFile: 'own.config', secure: true }
  const parameters = ['GLOBAL', 'EDGE_ATS9'].map((name) => ({ ...own, value: newSecret(), profileNames: [name] }))
  await app.ok('POST', '/api/1.3/import', { servers, parameters })
  const twice = [...parameters, ...parameters]
  const refused = await app.request('POST', '/api/1.3/import', { servers, parameters: twice })
  expect(refused.status).to.equal(400)
  expect(found(refused.text)).to.deep.equal([])
}

/** Every GET route that is no endless stream, with what holds secrets in the place of its parameters. */
async function readable(app: Client): Promise<string[]> {
  const idOf = async (path: string) => (await app.ok('GET', `/api/1.3${path}`)).body.response.at(-1).id as number
  const ids = await Promise.all([
    idOf('/servers?hostName=edge-chi-01'),
    idOf('/parameters?name=third'),
    idOf('/profiles?name=WRITTEN'),
    idOf('/cachegroups?name=edge-nyc'),
  ])
  const values = [...ids.map(String), 'written', 'WRITTEN', 'GLOBAL', 'stream', 'edge-chi-01']
  const reads = routes.filter(({ method, path, role }) => method === 'GET' && path !== '/watch' && role !== 'none')
  return reads.flatMap(({ path, unversioned }) =>
    (unversioned ? [''] : ['/api/1.1', '/api/1.3']).flatMap((prefix) => {
      const some = path.includes(':') ? values : ['']
      return [...new Set(some.map((value) => prefix + path.replace(/:\w+/g, value)))]
    }),
  )
}

onMongodb('secret fields', (mongodb) => {
  it('are in no document of any collection', async function () {
    this.timeout(240_000)
    const place = mongoPlace(mongodb().uri)
    const env = {
      MONGODB_URI: place.uri,
      SESSION_SECRET: 'a secret that all share',
      VAULT_KEY: vaultKeyText,
    }
    const app = await buildServer({ env })
    const net = await smallNetwork(app)
    const fields = () => Object.fromEntries(always.map((name) => [name, newSecret()]))
    const server = await net.addServer(fields())
    await app.ok('PUT', `/api/1.3/servers/${server.id}`, await net.serverBody({ ...fields(), rack: 'R1' }))
    const parameter = { name: 'p', configFile: 'own.config', value: newSecret(), secure: true }
    const [{ id }] = (await app.ok('POST', '/api/1.3/parameters', parameter)).body.response
    await app.ok('PUT', `/api/1.3/parameters/${id}`, { value: newSecret() })
    // So large that its entry is written in pieces.
    const many = Array.from({ length: 80 }, (_, at) => ({
      ...parameter,
      name: `many-${at}`,
      value: `${newSecret()}${'x'.repeat(60_000)}`,
    }))
    await app.ok('POST', '/api/1.3/import', { parameters: many })
    await app.service.services.store.settled()
    const client = new MongoClient(place.uri)
    const database = client.db()
    let dump = ''
    for (const { name } of await database.listCollections().toArray())
      for await (const document of database.collection(name).find())
        dump += JSON.stringify(document, (_, value) =>
          value?._bsontype === 'Binary' ? Buffer.from(value.buffer).toString('latin1') : value,
        )
    await client.close()
    expect(dump).to.contain('"iloPassword":{"sealed":"v1.').and.to.contain('many-79')
    expect(found(dump)).to.deep.equal([])
    await app.close()
    const again = await buildServer({ env })
    expect((await again.ok('GET', `/api/1.3/parameters/${id}`)).body.response[0].value).to.be.oneOf(secrets)
    await again.close()
    await place.remove()
  })
})
