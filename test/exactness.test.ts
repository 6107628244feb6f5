import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { importInto } from '../api/cli/transfer.js'
import { packageRoot } from '../api/config/packageRoot.js'
import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import type { CompileJob } from '../compiler/core/compile.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { fleetJobs, freshHash, servedHash } from './fleetJobs.js'

/**
 * For single edits: exactly which files are compiled anew. `only` is the whole set, as `<subject>/<file>`; a pattern
 * where it is long. Whatever is not in it must not be touched; whatever differs afterwards must be in it.
 */
interface Edit {
  readonly what: string
  readonly edit: (server: TestServer) => Promise<unknown>
  readonly only: readonly string[] | RegExp | ((name: string, server: TestServer) => boolean)
}

const record = async (server: TestServer, path: string) => (await server.ok('GET', `/api/1.3${path}`)).body.response[0]
const change = async (server: TestServer, path: string, id: number, before: object, values: object) =>
  server.ok('PUT', `/api/1.3/${path}/${id}`, { ...before, ...values })

async function changeServer(server: TestServer, hostName: string, values: object) {
  const before = await record(server, `/servers?hostName=${hostName}`)
  return change(server, 'servers', before.id, before, values)
}
async function changeService(server: TestServer, xmlId: string, values: object) {
  const before = await record(server, `/deliveryservices?xmlId=${xmlId}`)
  return change(server, 'deliveryservices', before.id, before, values)
}

const edits: readonly Edit[] = [
  { what: "a server's rack", edit: (server) => changeServer(server, 'edge-chi-01', { rack: 'R 99' }), only: [] },
  {
    what: "a server's management address",
    edit: (server) => changeServer(server, 'edge-chi-01', { mgmtIpAddress: '192.0.2.250' }),
    only: [],
  },
  {
    what: 'queued updates for a whole CDN',
    edit: async (server) =>
      server.ok('POST', `/api/1.3/cdns/${(await record(server, '/cdns?name=stream')).id}/queue_update`, {
        action: 'queue',
      }),
    only: [],
  },
  {
    what: "a delivery service's description",
    edit: (server) => changeService(server, 'vod', { longDesc: 'other words' }),
    only: [],
  },
  {
    what: 'a new user',
    edit: (server) => server.as('read-only'),
    only: [],
  },
  {
    what: 'a parameter of one file of one profile',
    edit: async (server) => {
      const profile = await record(server, '/profiles?name=EDGE_ATS9')
      await server.ok('POST', `/api/1.3/profiles/${profile.id}/parameters`, [
        {
          name: 'CONFIG proxy.config.http.keep_alive_no_activity_timeout_in',
          configFile: 'records.config',
          value: 'INT 77',
          secure: 0,
        },
      ])
    },
    only: ['EDGE_ATS9/records.config'],
  },
  {
    what: 'a parameter that another profile drops',
    edit: async (server) => {
      const [edge, mid] = await Promise.all(
        ['EDGE_ATS9', 'MID_ATS9'].map((name) => record(server, `/profiles?name=${name}`)),
      )
      const made = (
        await server.ok('POST', '/api/1.3/parameters', {
          name: 'x.shared',
          configFile: 'sysctl.conf',
          value: '1',
          secure: 0,
        })
      ).body.response
      const parameter = Array.isArray(made) ? made[0] : made
      for (const profile of [edge, mid])
        await server.ok('POST', '/api/1.3/profileparameters', { profileId: profile.id, parameterId: parameter.id })
      await settle(server)
      await server.ok('DELETE', `/api/1.3/profileparameters/${mid.id}/${parameter.id}`)
    },
    only: ['MID_ATS9/sysctl.conf'],
  },
  {
    what: 'an invalidation rule',
    edit: async (server) => {
      const service = await record(server, '/deliveryservices?xmlId=vod')
      const startTime = new Date(Date.now() + 3600_000).toISOString().slice(0, 19).replace('T', ' ')
      await server.ok('POST', '/api/1.3/user/current/jobs', {
        dsId: service.id,
        regex: '/films/.*',
        startTime,
        ttl: 24,
      })
    },
    only: ['stream/regex_revalidate.config'],
  },
  {
    what: "a delivery service's header rewrite",
    edit: (server) =>
      changeService(server, 'vod', {
        edgeHeaderRewrite: 'cond %{REMAP_PSEUDO_HOOK} __RETURN__ set-header X-New 1 [L]',
      }),
    // Whatever reads the service's record is looked at again; nothing of the other CDN, no profile's own settings.
    only: /^(stream\/|edge-|mid-|EDGE\w*\/cache\.config|(EDGE|MID)\w*\/(url_sig|uri_signing)_)/,
  },
  {
    what: 'the domain of a CDN',
    edit: async (server) => {
      const before = await record(server, '/cdns?name=classic')
      return change(server, 'cdns', before.id, before, { domainName: 'other.example.net' })
    },
    only: (name, { service: { services } }) => {
      const [subject = ''] = name.split('/')
      const [server] = services.data.by('servers', 'hostName', subject)
      const cdn = server ? services.data.get('cdns', server.cdnId)?.name : subject
      return cdn === 'classic'
    },
  },
]

/** Every file as of now; what was compiled at which revision. */
async function settle(server: TestServer): Promise<Map<string, { revision: number; etag: string }>> {
  const { services } = server.service
  const state = new Map<string, { revision: number; etag: string }>()
  for (const job of fleetJobs(services)) {
    const etag = await servedHash(job, services)
    expect(etag, nameOf(job, server)).to.equal(freshHash(job, services))
    state.set(nameOf(job, server), { revision: services.artifacts.peek(job)?.revision ?? 0, etag })
  }
  return state
}

function nameOf({ scope, subjectId, file }: CompileJob, { service }: TestServer): string {
  const subject = service.services.data.get(scope, subjectId)!
  return `${'hostName' in subject ? subject.hostName : subject.name}/${file}`
}

describe('after a single edit', function () {
  this.timeout(60_000)
  let server: TestServer
  let templateFolder: string
  before(async () => {
    templateFolder = mkdtempSync(join(tmpdir(), 'edgewright-templates-'))
    cpSync(join(packageRoot, 'templates'), templateFolder, { recursive: true })
    server = await buildServer({ templateFolder })
    await importInto(server.service, sampleCdn)
    await makeSampleKeys(server.service.services)
  })
  after(async () => {
    await server.close()
    rmSync(templateFolder, { recursive: true, force: true })
  })

  for (const { what, edit, only } of edits) {
    it(`of ${what}, only the files that read it are compiled again`, async () => {
      const before = await settle(server)
      await edit(server)
      // An edit may settle in between; only what moved after that counts.
      const from = Math.max(...[...before.values()].map(({ revision }) => revision), ...revisionsNow(server))
      const after = await settle(server)
      const compiled = [...after].flatMap(([name, { revision }]) => (revision > from ? [name] : [])).sort()
      const differing = [...after].flatMap(([name, { etag }]) =>
        before.has(name) && before.get(name)!.etag !== etag ? [name] : [],
      )
      if (typeof only === 'object' && 'length' in only) expect(compiled).to.deep.equal(only)
      else {
        const may = only instanceof RegExp ? (name: string) => only.test(name) : only
        expect(compiled, 'nothing was compiled').to.not.be.empty
        expect(compiled.filter((name) => !may(name, server))).to.deep.equal([])
      }
      expect(differing.filter((name) => !compiled.includes(name) && revisionOf(after, name) > from)).to.deep.equal([])
    })
  }

  it('of a template, only the files laid out with it are compiled again', async () => {
    const before = await settle(server)
    const file = join(templateFolder, 'sysctl.conf.hbs')
    const generation = server.service.services.templates().generation
    writeFileSync(file, `${readFileSync(file, 'utf8')}# edited\n`)
    await until(() => server.service.services.templates().generation > generation)
    const { services } = server.service
    const jobs = fleetJobs(services)
    const stale = jobs.filter((job) => services.artifacts.peek(job) === null)
    expect([...new Set(stale.map((job) => job.file))]).to.deep.equal(['sysctl.conf'])
    const after = await settle(server)
    for (const [name, { etag }] of after) {
      expect(etag === before.get(name)!.etag, name).to.equal(!name.endsWith('/sysctl.conf'))
    }
  })

  it('of nothing, a thousand callers of a cold file share one compile', async () => {
    const { services } = server.service
    await changeService(server, 'vod', { dscp: 34 })
    const job = fleetJobs(services).find((one) => one.file === 'remap.config')!
    const { compiles } = services.artifacts.counts()
    const artifacts = await Promise.all(Array.from({ length: 1000 }, () => services.artifacts.get(job)))
    expect(new Set(artifacts).size).to.equal(1)
    expect(services.artifacts.counts().compiles).to.equal(compiles + 1)
  })
})

const revisionOf = (state: Map<string, { revision: number }>, name: string): number => state.get(name)?.revision ?? 0

function revisionsNow({ service }: TestServer): number[] {
  return [...service.services.artifacts].map(({ revision }) => revision)
}

/** Waits for the file watcher; the loop ends by the test's own limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
