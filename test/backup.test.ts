import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { readSettings } from '../api/config/settings.js'
import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { partsOf } from '../api/operations/backup/format.js'
import { routes } from '../api/routes/index.js'
import { restoreStore } from '../api/store/open.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { onMongodb } from './store/onMongodb.js'
import type { Place } from './store/places.js'
import { embeddedPlace, mongoPlace } from './store/places.js'

const secrets = { SESSION_SECRET: 'of-the-tests-of-backups', VAULT_KEY: 'a passphrase of the tests' }

/** What answers with the present of something outside, or never ends, or differs by the moment it is made. */
const live =
  /\/(health|capacity|routing|state|usage|stats|ping|watch|backup|newcount|metric_types)(\/|$)|_stats|unversioned/

/** Every GET of every route on records that there are and some that there are not: what it answers, to the byte. */
async function everything(app: TestServer): Promise<Map<string, string>> {
  const names = async (path: string, field: string): Promise<string[]> =>
    (await app.ok('GET', `/api/1.3/${path}`)).body.response.slice(0, 4).map((row: Record<string, string>) => row[field])
  const ids = ['1', '2', '3', '7', '19', '999']
  const cdns = await names('cdns', 'name')
  const hosts = await names('servers?type=EDGE', 'hostName')
  const services = await names('deliveryservices', 'xmlId')
  const files = ['remap.config', 'parent.config', 'records.config', 'url_sig_sports.config', 'regex_revalidate.config']
  const byName: Record<string, readonly string[]> = {
    host: hosts,
    hostname: hosts,
    file: files,
    xmlId: services,
    name: [...cdns, ...hosts.slice(0, 1), 'EDGE_ATS9', 'none'],
    cdn_name: cdns,
    version: ['1', '2'],
    days: ['30'],
    bucket: ['ssl'],
    key: ['vod-latest'],
    start: ['2026-01-01'],
    end: ['2026-01-02'],
  }
  const urls = routes
    .filter((route) => route.method === 'GET' && !route.changes && !route.unversioned && !live.test(route.path))
    .flatMap((route) => {
      let paths = [route.path]
      for (const [whole, name] of route.path.matchAll(/:(\w+)/g))
        paths = paths.flatMap((path) => (byName[name!] ?? ids).map((value) => path.replace(whole, value)))
      return paths.map((path) => (path.startsWith('/CRConfig') ? path : `/api/1.3${path}`))
    })
  const said = new Map<string, string>()
  for (const url of [...new Set(urls)]) {
    const { status, headers, text } = await app.get(url)
    said.set(url, [status, headers.get('etag'), headers.get('x-edgewright-revision'), text].join('\n'))
  }
  return said
}

/** The sample CDN with all that comes of running it: keys, frozen snapshots, queued updates, results, jobs, a log. */
async function lived(app: TestServer): Promise<void> {
  await app.ok('POST', '/api/1.3/import', sampleCdn)
  await makeSampleKeys(app.service.services)
  const [cdn] = (await app.ok('GET', '/api/1.3/cdns?name=stream')).body.response
  const servers = (await app.ok('GET', '/api/1.3/servers?type=EDGE')).body.response
  await app.ok('PUT', '/api/1.3/snapshot/stream')
  await app.ok('POST', `/api/1.3/cdns/${cdn.id}/queue_update`, { action: 'queue' })
  await app.ok('POST', `/update/${servers[0].hostName}`, { updated: 0, reval_updated: 0 })
  await app.ok('PUT', `/api/1.3/servers/${servers[1].id}`, { ...servers[1], rack: 'R 42' })
  await app.ok('PUT', '/api/1.3/snapshot/stream')
  await app.ok('POST', '/api/1.3/cdns/stream/snapshots/1/activate')
  await app.ok('DELETE', `/api/1.3/servers/${servers.at(-1).id}`)
  await app.ok('POST', '/api/1.3/divisions', { name: 'gone' })
  const [gone] = (await app.ok('GET', '/api/1.3/divisions?name=gone')).body.response
  await app.ok('DELETE', `/api/1.3/divisions/${gone.id}`)
}

function describeBackup(title: string, place: () => Place & { readonly env: Record<string, string> }): void {
  describe(`backup and restore of a service, ${title}`, function () {
    this.timeout(300_000)
    const now = () => new Date('2026-06-01T12:00:00.000Z')
    let folder: string
    let app: TestServer
    const places: Place[] = []
    const started = (env: Record<string, string>) => buildServer({ env, now, dataDir: join(folder, 'of-no-use') })
    const newPlace = () => {
      const made = place()
      places.push(made)
      return made
    }
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'edgewright-backup-'))
      app = await started({ ...secrets, ...newPlace().env })
      await lived(app)
    })
    after(async () => {
      await app.close()
      for (const one of places) await one.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    it('gives every answer of every route again, and goes on with new ids', async () => {
      const answer = await app.ok('GET', '/api/1.3/backup')
      expect(answer.headers.get('content-type')).to.equal('application/octet-stream')
      const file = join(folder, 'backup')
      writeFileSync(file, answer.text)
      const before = await everything(app)
      const env = { ...secrets, ...newPlace().env }
      await restoreStore(readSettings(env), { force: false }, partsOf(file))
      const other = await started(env)
      try {
        const after = await everything(other)
        expect([...after.keys()]).to.deep.equal([...before.keys()])
        for (const [url, said] of before) expect(after.get(url), url).to.equal(said)
        expect([...before.values()].filter((said) => said.startsWith('200')).length).to.be.greaterThan(200)
        const made = []
        for (const server of [app, other])
          made.push((await server.ok('POST', '/api/1.3/divisions', { name: 'next' })).text)
        expect(made[1]).to.equal(made[0])
        for (const server of [app, other]) await server.ok('PUT', '/api/1.3/snapshot/stream')
        const versions = '/api/1.3/cdns/stream/snapshots'
        expect((await other.ok('GET', versions)).text).to.equal((await app.ok('GET', versions)).text)
      } finally {
        await other.close()
      }
    })

    it('holds nothing in clear that is sealed', async () => {
      const parameter = { name: 'of-backups', configFile: 'any.config', value: 'a-very-secure-value', secure: true }
      await app.ok('POST', '/api/1.3/parameters', parameter)
      const { text } = await app.ok('GET', '/api/1.3/backup')
      const services = (await app.ok('GET', '/api/1.3/deliveryservices')).body.response
      const { xmlId } = services.find((row: { signingAlgorithm: string }) => row.signingAlgorithm === 'url_sig')
      const keys = (await app.ok('GET', `/api/1.3/deliveryservices/xmlId/${xmlId}/urlkeys`)).body.response
      const [key] = Object.values(keys as Record<string, string>)
      expect(key).to.be.a('string').with.length.greaterThan(20)
      expect(text).to.not.contain(key)
      expect(text).to.contain('of-backups').and.to.not.contain('a-very-secure-value')
    })

    it('is for administrators of the root tenant', async () => {
      for (const client of [await app.as('operations'), await app.as('admin', { tenant: 'media-house' })])
        expect((await client.get('/api/1.3/backup')).status).to.equal(403)
      expect((await app.anonymous.get('/api/1.3/backup')).status).to.equal(401)
    })

    it('holds nobody up', async () => {
      const delays = monitorEventLoopDelay({ resolution: 5 })
      await app.ok('GET', '/api/1.3/backup')
      delays.enable()
      const answer = await app.ok('GET', '/api/1.3/backup')
      delays.disable()
      expect(answer.text.length).to.be.greaterThan(500_000)
      expect(delays.max / 1e6).to.be.lessThan(50)
    })
  })
}

describeBackup('embedded', () => {
  const place = embeddedPlace()
  return { ...place, env: { DATA_DIR: place.directory } }
})
onMongodb('backup of a service', (mongodb) =>
  describeBackup('MongoDB', () => {
    const place = mongoPlace(mongodb().uri)
    return { ...place, env: { MONGODB_URI: place.uri } }
  }),
)

describe('the file of a backup', () => {
  it('is made of lines that people can read', async () => {
    const app = await buildServer()
    try {
      const [header, ...lines] = (await app.ok('GET', '/api/1.3/backup')).text.trimEnd().split('\n')
      expect(JSON.parse(header!)).to.include({ edgewright: 'backup', version: 1 })
      const kinds = new Set(lines.map((line) => Object.keys(JSON.parse(line))[0]))
      expect([...kinds]).to.deep.equal(['state', 'record', 'journal', 'entry', 'end'])
      expect(readFileSync(join(app.dataDir, 'vault-key'), 'utf8')).to.have.length(65)
    } finally {
      await app.close()
    }
  })
})
