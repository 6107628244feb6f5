import type { Answer, Question, TlsVersion } from './ask.js'
import { ask } from './ask.js'
import type { BootOptions } from './boot.js'
import { boot } from './boot.js'
import type { CacheServer } from './cacheServer.js'
import { selfSigned } from './certificates.js'
import type { Purge } from './chainCdn.js'
import { chainCdn, edgeHost, edgeId, edgeTlsHost, firstMidId, hostNames, secondMidId } from './chainCdn.js'
import type { ChainPorts } from './chainServices.js'
import { originHost } from './chainServices.js'
import { compiledFiles, loaded } from './compiled.js'
import { freePorts } from './freePorts.js'
import { layOut } from './layOut.js'
import type { Origin } from './origin.js'
import { openOrigin } from './origin.js'
import type { Explained, Problem } from './problems.js'
import { inWorkFolder } from './workFolder.js'

/** An edge, a mid and an origin, each on its own port, the caches running on what is compiled for chainCdn. */
export interface Chain {
  readonly origin: Origin
  /** A client's request to the edge for a service. */
  get(xmlId: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The same by TLS, in no newer version than this. */
  getByTls(xmlId: string, path: string, newestVersion?: TlsVersion): Promise<Answer>
  /** Any request for a service to the edge, or as the edge would send it to the mid of the primary parent group. */
  ask(tier: Tier, xmlId: string, question: Pick<Question, 'path' | 'method' | 'from'>): Promise<Answer>
  /** Host and port clients ask the edge for. */
  edgeAuthority(xmlId: string): string
  originAuthority(xmlId: string): string
  /** Has a cache load the rules, compiled. It takes a moment. */
  invalidate(tier: Tier, rules: readonly Purge[]): Promise<void>
  /** Ends the mid of the primary parent group and starts the one of the secondary. */
  failOver(): Promise<void>
  /** What the caches have complained of so far. */
  problems(): Problem[]
  close(): Promise<void>
}

export type Tier = 'edge' | 'mid'

export async function openChain(server: CacheServer, explained: readonly Explained[]): Promise<Chain> {
  const origin = await openOrigin(await inWorkFolder('origin', (folder) => selfSigned('origin.test', folder)))
  const [edgePort, edgeTls, firstMid, secondMid] = await freePorts(4)
  const ports: ChainPorts = {
    edge: edgePort!,
    edgeTls: edgeTls!,
    firstMid: firstMid!,
    secondMid: secondMid!,
    origin: origin.ports,
  }

  const start = (name: string, id: number, how: Pick<BootOptions, 'port' | 'tlsPort' | 'supervised'>) =>
    inWorkFolder('chain', async (folder) => {
      const machine = { hostName: name, domainName: 'chain.test', tcpPort: how.port, ipAddress: '127.0.0.1' }
      const files = compiledFiles(loaded(chainCdn(ports)), id)
      await layOut(files, { folder, machine, defaults: server.defaults })
      const records = { 'proxy.config.proxy_name': name, 'proxy.config.http.insert_response_via_str': '2' }
      return boot(server, folder, { ...how, hosts: hostNames(ports), records, explained })
    })

  const [edge, first] = await Promise.all([
    start('edge1', edgeId, { port: ports.edge, tlsPort: ports.edgeTls, supervised: true }),
    start('mid1', firstMidId, { port: ports.firstMid, supervised: true }),
  ])
  let mid = first
  const fromEarlier: Problem[] = []
  const through = (xmlId: string, path: string, headers?: Readonly<Record<string, string>>) =>
    ask({ port: ports.edge, host: edgeHost(xmlId, ports), path, headers })
  const originAuthority = (xmlId: string) => `${originHost(xmlId)}:${ports.origin.plain}`
  const problems = () => [...fromEarlier, ...edge.problems(), ...mid.problems()]
  await untilServed(() => through('query-kept', '/known-names'), problems)
  return {
    origin,
    get: through,
    getByTls: (xmlId, path, newestVersion = 'TLSv1.3') =>
      ask({ port: ports.edgeTls, host: edgeTlsHost(xmlId, ports), path, tls: { newestVersion } }),
    ask: (tier, xmlId, question) =>
      tier === 'edge'
        ? ask({ port: ports.edge, host: edgeHost(xmlId, ports), ...question })
        : ask({ port: ports.firstMid, host: originAuthority(xmlId), ...question }),
    edgeAuthority: (xmlId) => edgeHost(xmlId, ports),
    originAuthority,
    async invalidate(tier, rules) {
      const name = 'regex_revalidate.config'
      const [cache, id] = tier === 'edge' ? [edge, edgeId] : [mid, firstMidId]
      const { text } = compiledFiles(loaded(chainCdn(ports, rules)), id).find((file) => file.fnameOnDisk === name)!
      await cache.reload({ [name]: text })
    },
    async failOver() {
      fromEarlier.push(...mid.problems())
      await mid.stop()
      mid = await start('mid2', secondMidId, { port: ports.secondMid, supervised: false })
      await untilServed(
        () => ask({ port: ports.secondMid, host: originAuthority('query-kept'), path: '/known-names' }),
        problems,
      )
    },
    problems,
    async close() {
      await Promise.all([edge.stop(), mid.stop(), origin.stop()])
    },
  }
}

/** A cache learns the names in its hosts file only about a second after it began to serve. */
async function untilServed(get: () => Promise<Answer>, problems: () => Problem[]): Promise<void> {
  const until = Date.now() + 10_000
  for (;;) {
    const { status } = await get()
    if (status === 200) return
    if (Date.now() > until) {
      const complaints = problems().map(({ text }) => text)
      throw new Error([`the chain still answers ${status} after 10 s`, ...complaints].join('\n'))
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
