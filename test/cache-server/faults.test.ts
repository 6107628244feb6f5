import { expect } from 'chai'
import { boot } from './boot.js'
import type { CacheServer } from './cacheServer.js'
import { findCacheServer } from './cacheServer.js'
import { freePorts } from './freePorts.js'
import { layOut } from './layOut.js'
import type { Problem } from './problems.js'
import { verify } from './verify.js'
import { inWorkFolder } from './workFolder.js'

const mapping = 'map http://a.test/ http://b.test/'

/** A mistake, the file it is in, and what the cache server must be heard saying of it. */
const faults: readonly (readonly [what: string, file: string, text: string, said: RegExp])[] = [
  [
    'a plugin that does not exist',
    'remap.config',
    `${mapping} @plugin=none.so\n`,
    /failed to add remap rule at .* line 1/,
  ],
  ['a host that is mapped twice', 'remap.config', `${mapping}\n${mapping}\n`, /insert into trie/],
  ['a header rewrite that is not there', 'remap.config', `${mapping} @plugin=header_rewrite.so @pparam=no\n`, /line 1/],
  [
    'a size of slices that is none',
    'remap.config',
    `${mapping} @plugin=slice.so @pparam=--blockbytes=x\n`,
    /blockbytes/i,
  ],
  ['an unknown key of a parent', 'parent.config', 'dest_domain=. parent="a:80" colour=red\n', /line 1/],
  ['no parent', 'parent.config', 'dest_domain=. parent=""\n', /line 1/],
  ['an unknown action for the cache', 'cache.config', 'dest_domain=a.test action=sleep\n', /line 1/],
  ['the old form of the allow list', 'ip_allow.yaml', 'src_ip=127.0.0.1 action=ip_allow method=ALL\n', /ip_?allow/i],
  ['a volume that does not exist', 'hosting.config', 'hostname=* volume=7\n', /hosting\.config|volume/i],
  ['an unknown setting', 'records.config', 'CONFIG proxy.config.none INT 1\n', /proxy\.config\.none/],
  ['a log of an unknown format', 'logging.yaml', 'logging:\n  logs:\n  - format: none\n    filename: a\n', /none/],
  ['broken YAML', 'sni.yaml', 'sni: [\n', /sni\.yaml/],
]

describe('faults in a config file', function () {
  this.timeout(40_000)
  let server: CacheServer

  before(async function () {
    const found = await findCacheServer()
    if ('missing' in found) {
      console.log(`      SKIPPED, ${found.missing}: whether faults in config files are noticed was not tested`)
      return this.skip()
    }
    server = found
  })

  for (const [what, file, text, said] of faults) {
    it(`are noticed: ${what} (${file})`, async () => {
      expect(textsOf(await problemsOf({ 'remap.config': `${mapping}\n`, [file]: text }))).to.match(said)
    })
  }

  it('are not seen where there are none', async () => {
    expect(await problemsOf({ 'remap.config': `${mapping}\n` })).to.deep.equal([])
  })

  function problemsOf(texts: Readonly<Record<string, string>>): Promise<Problem[]> {
    const files = Object.entries(texts).map(([fnameOnDisk, text]) => ({ fnameOnDisk, location: '/conf', text }))
    const machine = { hostName: 'a', domainName: 'test', tcpPort: 80, ipAddress: '127.0.0.1' }
    return inWorkFolder('faults', async (folder) => {
      await layOut(files, { folder, machine, defaults: server.defaults })
      const { problems } = await verify(server, folder)
      if (problems.length > 0) return problems
      const [port] = await freePorts(1)
      const cache = await boot(server, folder, { port: port! })
      await cache.stop()
      return cache.problems()
    })
  }
})

const textsOf = (problems: readonly Problem[]) => problems.map(({ text }) => text).join('\n')
