import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../api/config/packageRoot.js'
import type { Parts } from '../api/operations/parts.js'
import { compile } from '../compiler/core/compile.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { childArguments } from './childArguments.js'
import { documentJobs, fleetJobs } from './fleetJobs.js'
import { sampleServer } from './sampleServer.js'

/** What whoever moves to another service asks of the one they have. */
const lists = [
  'types',
  'statuses',
  'cdns',
  'divisions',
  'regions',
  'phys_locations',
  'coordinates',
  'cachegroups',
  'asns',
  'tenants',
  'roles',
  'users',
  'capabilities',
  'api_capabilities',
  'profiles',
  'parameters',
  'profileparameters',
  'servers',
  'deliveryservices',
  'deliveryservices_regexes',
  'deliveryserviceserver',
  'origins',
  'staticdnsentries',
  'federation_resolvers',
  'jobs',
]

/** Keys are in no list, and times are of each store. */
const compiled = (services: Parts): Map<string, string> => {
  const { fragments: _, ...basis } = services.compileBasis()
  const jobs = [...fleetJobs(services), ...documentJobs(services)].filter(
    ({ file }) => !/^(url_sig|uri_signing)/.test(file),
  )
  return new Map(
    jobs.map((job) => {
      const { text } = compile(job, { ...basis, registry: catalogue })
      return [`${job.scope} ${job.subjectId} ${job.file}`, text.replaceAll(/"(date|lastUpdated)":("[^"]*"|\d+)/g, '')]
    }),
  )
}

describe('the data of the field', function () {
  this.timeout(120_000)
  let from: TestServer
  let to: TestServer
  let folder: string
  before(async () => {
    from = await sampleServer()
    to = await buildServer()
    folder = mkdtempSync(join(tmpdir(), 'edgewright-field-'))
  })
  after(async () => {
    await Promise.all([from.close(), to.close()])
    rmSync(folder, { recursive: true, force: true })
  })

  const importInto = async (server: TestServer, path: string, ...more: string[]) => {
    const made = await server.ok('POST', '/api/1.3/tokens', { description: 'field' })
    const env = { PATH: process.env.PATH, EDGEWRIGHT_URL: server.url, EDGEWRIGHT_TOKEN: made.body.response.token }
    const child = spawn(process.execPath, [...childArguments('api/main'), 'import', path, ...more], {
      env,
      cwd: packageRoot,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
      })
    }
    return { code: await new Promise((resolve) => child.once('close', resolve)), said }
  }
  const save = (path: string, content: unknown): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
    return file
  }

  it('loads from a folder of answers, and every file and document is compiled the same', async () => {
    for (const path of lists) save(`cdn/${path}.json`, (await from.ok('GET', `/api/1.3/${path}?limit=100000`)).body)
    const { data } = from.service.services
    for (const id of new Set(data.all('cachegroupFallbacks').map(({ cacheGroupId }) => cacheGroupId))) {
      const answer = await from.ok('GET', `/api/1.3/cachegroup_fallbacks?cacheGroupId=${id}`)
      save(`cdn/cachegroup_fallbacks/${id}.json`, answer.body)
    }
    const steering = new Set(data.all('steeringTargets').map(({ deliveryServiceId }) => deliveryServiceId))
    for (const id of steering)
      save(`cdn/steering/${id}/targets.json`, (await from.ok('GET', `/api/1.3/steering/${id}/targets`)).body)
    for (const { id, cdnId } of data
      .all('federations')
      .map(({ id, deliveryServices }) => ({ id, cdnId: data.get('deliveryServices', deliveryServices[0]!)!.cdnId }))) {
      const { name } = data.get('cdns', cdnId)!
      save(`cdn/cdns/${name}/federations.json`, (await from.ok('GET', `/api/1.3/cdns/${name}/federations`)).body)
      for (const what of ['federation_resolvers', 'users'])
        save(`cdn/federations/${id}/${what}.json`, (await from.ok('GET', `/api/1.3/federations/${id}/${what}`)).body)
    }
    const { code, said } = await importInto(to, join(folder, 'cdn'))
    expect(code, said).to.equal(0)
    // Keys are in no list; they are put where they were taken from.
    for (const { xmlId } of data.all('deliveryServices').filter((one) => one.signingAlgorithm === 'uri_signing')) {
      const path = `/api/1.3/deliveryservices/${xmlId}/urisignkeys`
      await to.ok('PUT', path, (await from.ok('GET', path)).body)
    }
    const [wanted, got] = [compiled(from.service.services), compiled(to.service.services)]
    expect(wanted.size).to.be.greaterThan(300)
    expect([...got.keys()].sort()).to.deep.equal([...wanted.keys()].sort())
    for (const [name, text] of wanted) expect(got.get(name), name).to.equal(text)
    const again = await importInto(to, join(folder, 'cdn'), '--dry-run')
    expect(again.said).to.match(/Nothing was written. It would be: 0 created, 0 updated, \d+ unchanged\n$/)
  })

  it('loads from one document: ids as texts, parameters within profiles, empty addresses, any word for a table', async () => {
    const answer = (...response: object[]) => ({ response })
    const machine = {
      domainName: 'f.example.net',
      cdnName: 'f',
      physLocation: 'f-phys',
      interfaceName: 'eth0',
      interfaceMtu: '1500',
    }
    const document = save('field.json', {
      types: answer(
        { id: '901', name: 'F_PORTAL', description: 'portal', useInTable: 'server' },
        { id: '902', name: 'F_ODD', description: 'odd', useInTable: 'to_extension_odd' },
      ),
      cdns: answer({ id: '91', name: 'f', domainName: 'f.example.net', dnssecEnabled: '0' }),
      divisions: answer({ id: '91', name: 'f-div' }),
      regions: answer({ id: '91', name: 'f-reg', division: '91', divisionName: 'f-div' }),
      phys_locations: answer({
        id: '91',
        name: 'f-phys',
        shortName: 'fp',
        address: 'x',
        city: 'x',
        state: 'x',
        zip: 'x',
        region: 'f-reg',
        regionId: '91',
      }),
      cachegroups: answer(
        { id: '91', name: 'f-edge', shortName: 'f-edge', typeName: 'EDGE_LOC', typeId: '7', fallbacks: ['f-far'] },
        { id: '92', name: 'f-far', shortName: 'f-far', typeName: 'EDGE_LOC', typeId: '7' },
      ),
      'api/1.3/profiles?includeParams=true': answer({
        id: '91',
        name: 'F_EDGE',
        description: 'x',
        type: 'ATS_PROFILE',
        cdn: '91',
        cdnName: 'f',
        params: [
          { id: '991', name: 'trafficserver', configFile: 'chkconfig', value: '0:off\t1:off\t2:on', secure: '0' },
          { id: '992', name: 'location', configFile: 'remap.config', value: '/opt/ats', secure: false },
        ],
      }),
      'profiles/92/export': {
        profile: { name: 'F_PORTAL', description: 'x', type: 'UNK_PROFILE', cdn: 'f' },
        parameters: [{ name: 'location', config_file: 'remap.config', value: '/opt/ats' }],
      },
      servers: answer(
        {
          ...machine,
          id: '991',
          hostName: 'f-edge-01',
          type: 'EDGE',
          typeId: '11',
          status: 'REPORTED',
          profile: 'F_EDGE',
          cachegroup: 'f-edge',
          ipAddress: '192.0.2.201',
          ipNetmask: '255.255.255.0',
          ipGateway: '192.0.2.1',
          rebalance: 7,
        },
        ...['a', 'b'].map((name, at) => ({
          ...machine,
          id: `${992 + at}`,
          hostName: `f-portal-${name}`,
          type: 'F_PORTAL',
          status: 'ONLINE',
          profile: 'F_PORTAL',
          cachegroup: 'f-far',
          ipAddress: '',
          ipNetmask: '',
          ipGateway: '',
        })),
      ),
      dbdump: answer({}),
    })
    const { code, said } = await importInto(to, document)
    expect(code, said).to.equal(0)
    expect(said).to.contain('note that dbdump is not imported').and.contain('of servers these are not kept: rebalance')
    const one = async (path: string) => (await to.ok('GET', `/api/1.3/${path}`)).body.response[0]
    expect(await one('servers?hostName=f-portal-b')).to.include({ ipAddress: null, cdnName: 'f', profile: 'F_PORTAL' })
    expect((await one('parameters?name=trafficserver&value=0:off%091:off%092:on')).profiles).to.include('F_EDGE')
    expect(
      (await one('parameters?name=location&configFile=remap.config&value=/opt/ats')).profiles.sort(),
    ).to.deep.equal(['F_EDGE', 'F_PORTAL'])
    const { id } = await one('cachegroups?name=f-edge')
    expect(await one(`cachegroup_fallbacks?cacheGroupId=${id}`)).to.include({ fallbackName: 'f-far' })
    const edge = await one('servers?hostName=f-edge-01')
    const bare = await to.request('POST', '/api/1.3/import', { servers: [{ ...edge, ipAddress: '' }] })
    expect(bare.text).to.contain('ipAddress is required')
  })
})
