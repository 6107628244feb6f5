import { expect } from 'chai'
import { importInto } from '../../api/cli/transfer.js'
import { makeSampleKeys } from '../../api/demo/keys.js'
import { sampleCdn } from '../../api/demo/sampleCdn.js'
import { buildServer } from '../build.js'
import { fetchedFiles } from './agent.js'
import { boot } from './boot.js'
import type { CacheServer } from './cacheServer.js'
import { findCacheServer } from './cacheServer.js'
import { freePorts } from './freePorts.js'
import type { Machine, PlacedFile } from './layOut.js'
import { layOut } from './layOut.js'
import type { Explained, Problem } from './problems.js'
import { verify } from './verify.js'
import { inWorkFolder } from './workFolder.js'

const goneWith9 = [
  'config_dir',
  'hostdb.storage_size',
  'http.origin_max_connections',
  'http.parent_proxy_routing_enable',
  'stack_dump_enabled',
]

/** What version 9, the one that is tried, says of files for an older version; nothing else is explained away. */
const ofOlderVersions: readonly Explained[] = [
  {
    pattern: new RegExp(`^Unrecognized configuration value 'proxy.config.(${goneWith9.join('|')})'`),
    because: 'older versions have these settings, version 9 has not any more',
  },
  {
    pattern: /no such records config: proxy\.config\.http\.origin_max_connections$/,
    because: 'version 9 limits connections to origins by other settings',
  },
  {
    pattern: /^malformed \S+\/logging\.yaml file; expected a toplevel 'logging' node$/,
    because: 'version 8 has no such node around its logs',
  },
  {
    pattern: /SimpleRetryResponseCodes/,
    because: 'which answers to retry could not be said before version 9; its default is theirs',
  },
]

describe('the caches of the sample CDN, on the real cache server', function () {
  this.timeout(120_000)
  const caches = cachesOfSample()
  let problems: ReadonlyMap<string, Promise<readonly Problem[]>>

  before(async function () {
    const server = await findCacheServer()
    if ('missing' in server) {
      console.log(`      SKIPPED, ${server.missing}: whether a cache server loads the compiled files was not tested`)
      return this.skip()
    }
    const groups = groupAlike(await compiledBySample(caches))
    const trials = inTwoLanes(groups, ([one]) => tryOut(server, one))
    problems = new Map(groups.flatMap((group, i) => group.map(({ cache }) => [cache.hostName, trials[i]!])))
    const distinct = groups.map((group) => group.map(({ cache }) => cache.hostName).join(' = '))
    console.log(`      Tried one of each that are equal but for their names: ${distinct.join(', ')}.`)
    const older = caches.filter(({ version }) => version < 9).map(({ hostName, version }) => `${hostName} (${version})`)
    console.log(
      `      Tried with version ${server.version}, which does not read what only older ones have (ip_allow.config, ` +
        `ssl_server_name.yaml, logging.config, logs_xml.config): of ${older.join(', ')} the rest was tried.`,
    )
  })

  it('are at least thirty, of versions 6 to 9', () => {
    expect(caches).to.have.length.of.at.least(30)
    expect(new Set(caches.map(({ version }) => version))).to.deep.equal(new Set([6, 7, 8, 9]))
  })

  for (const { hostName, version } of caches) {
    it(`load without a complaint: ${hostName}, for version ${version}`, async () => {
      expect(await problems.get(hostName)).to.deep.equal([])
    })
  }
})

interface Cache extends Machine {
  readonly version: number
}

interface Compiled {
  readonly cache: Cache
  readonly files: readonly PlacedFile[]
}

/** Loads the sample into a service of its own and fetches what the caches would. */
async function compiledBySample(caches: readonly Cache[]): Promise<readonly Compiled[]> {
  const api = await buildServer()
  try {
    await importInto(api.service, sampleCdn)
    await makeSampleKeys(api.service.services)
    const compiled: Compiled[] = []
    for (const cache of caches) compiled.push({ cache, files: await fetchedFiles(api, cache.hostName) })
    return compiled
  } finally {
    await api.close()
  }
}

/** Caches whose files are the same but for their host names need only one of them tried. */
function groupAlike(all: readonly Compiled[]): readonly (readonly [Compiled, ...Compiled[]])[] {
  const groups = new Map<string, [Compiled, ...Compiled[]]>()
  for (const compiled of all) {
    const { cache, files } = compiled
    const content = JSON.stringify([cache.tcpPort, files]).replaceAll(cache.hostName, '<host>')
    const group = groups.get(content)
    if (group) group.push(compiled)
    else groups.set(content, [compiled])
  }
  return [...groups.values()]
}

/** What the cache server has against the compiled files of one cache, at its static check and when it starts. */
function tryOut(server: CacheServer, { cache, files }: Compiled): Promise<readonly Problem[]> {
  const explained = cache.version < 9 ? ofOlderVersions : []
  return inWorkFolder('sample', async (folder) => {
    await layOut(files, { folder, machine: cache, defaults: server.defaults })
    const { exitCode, problems } = await verify(server, folder, explained)
    if (exitCode !== 0 || problems.length > 0) {
      return [...problems, { severity: 'ERROR', text: `the check ended with ${exitCode}` }]
    }
    const [port] = await freePorts(1)
    const booted = await boot(server, folder, { port: port!, explained })
    await booted.stop()
    return booted.problems()
  })
}

/** Begins all work, but has no more than two pieces under way: there are no more cores to count on. */
function inTwoLanes<T, R>(pieces: readonly T[], work: (piece: T) => Promise<R>): readonly Promise<R>[] {
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  return pieces.map((piece, index) => {
    const done = lanes[index % 2]!.then(() => work(piece))
    lanes[index % 2] = done.catch(() => {})
    return done
  })
}

/** The edges and mids of the sample, each with the major version its profile names. */
function cachesOfSample(): readonly Cache[] {
  const packages = sampleCdn.parameters.filter(
    ({ name, configFile }) => `${configFile}/${name}` === 'package/trafficserver',
  )
  return sampleCdn.servers
    .filter(({ type }) => type === 'EDGE' || type === 'MID')
    .map((server) => {
      const named = packages.find(({ profiles }) => profiles.includes(server.profile))
      return { ...server, version: Number.parseInt(named?.value ?? '', 10) }
    })
}
