import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, Section } from './report.js'
import { startModule } from './serving/processes.js'
import type { ServiceGiven, ServiceReady } from './serving/service.js'
import { percentile } from './timing.js'

/** A fleet of 3,000 caches that ask for a listing and 25 files each minute. */
const perSecond = 1300
const seconds = 6
const watchers = 3000

/** What a fleet at rest costs: conditional requests at its rate, and open change streams. */
export async function polling(report: Report): Promise<void> {
  const section = report.section('polling', 'a service with fleet M, two threads of load and service on two cores')
  const folder = mkdtempSync(join(tmpdir(), 'edgewright-bench-'))
  const given: ServiceGiven = { dataDir: join(folder, 'data'), fleet: { size: 'M' } }
  const service = await startModule<ServiceReady>('service', given, 'anywhere')
  try {
    await fleetAsks(service.ready, section)
    await manyWatch(service, section)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fleetAsks({ lane, cookie }: ServiceReady, section: Section): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const ask = (path: string, etag?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie, 'accept-encoding': 'gzip', ...(etag ? { 'if-none-match': etag } : {}) }
      get(`${lane}${path}`, { agent, headers }, (answer) => answer.resume().on('end', () => resolve(answer))).on(
        'error',
        reject,
      )
    })
  const listings = Array.from(
    { length: 40 },
    (_, at) => `/api/1.3/servers/edge-00${String(at).padStart(2, '0')}/configfiles/cachesw`,
  )
  const files = ['remap.config', 'parent.config', 'hosting.config', 'sni.yaml', 'ip_allow.yaml']
  const paths = listings.flatMap((path) => [path, ...files.map((file) => `${path}/${file}`)])
  const tags = new Map<string, string>()
  for (const path of paths) {
    const { statusCode, headers } = await ask(path)
    if (statusCode === 200 && headers.etag) tags.set(path, headers.etag)
  }
  const known = [...tags]
  const times: number[] = []
  let unchanged = 0
  const start = performance.now()
  const pending: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const due = start + (sent * 1000) / perSecond
    const early = due - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    const [path, etag] = known[(sent * 7) % known.length]!
    const before = performance.now()
    pending.push(
      ask(path, etag).then(({ statusCode }) => {
        times.push(performance.now() - before)
        if (statusCode === 304) unchanged += 1
      }),
    )
  }
  await Promise.all(pending)
  const rate = times.length / ((performance.now() - start) / 1000)
  section.goal('requests of 3,000 caches', rate, '/s', '>=', perSecond * 0.97, `${known.length} files in turn`)
  section.goal('  p99', percentile(times, 0.99), 'ms', '<=', 10)
  section.goal('  answered 304', (100 * unchanged) / times.length, '%', '>=', 99)
  agent.destroy()
}

async function manyWatch(service: { pid: number; ready: ServiceReady }, section: Section): Promise<void> {
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024
  const { lane, cookie } = service.ready
  const before = resident()
  const agent = new Agent({ keepAlive: false })
  const streams: IncomingMessage[] = []
  for (let opened = 0; opened < watchers; opened += 100) {
    const some = Array.from(
      { length: 100 },
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get(`${lane}/api/1.3/watch`, { agent, headers: { cookie } }, resolve).on('error', reject)
        }),
    )
    streams.push(...(await Promise.all(some)))
  }
  section.goal(`${watchers.toLocaleString('en')} open change streams`, resident() - before, 'MiB', '<=', 100)
  for (const stream of streams) stream.destroy()
}
