import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSettings } from '../api/config/settings.js'
import { partsOf } from '../api/operations/backup/format.js'
import { restoreStore } from '../api/store/open.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { everything, lived } from './lived.js'
import { onMongodb } from './store/onMongodb.js'
import type { Place } from './store/places.js'
import { embeddedPlace, mongoPlace } from './store/places.js'
import { vaultKeyText } from './vaultKey.js'

const secrets = { SESSION_SECRET: 'of-the-tests-of-backups', VAULT_KEY: vaultKeyText }

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
