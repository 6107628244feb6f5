import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorMilliseconds } from './processor.js'
import type { Report, Section } from './report.js'
import type { Body } from './serving/bodies.js'
import { bodiesOf } from './serving/bodies.js'
import { startNginx } from './serving/nginx.js'
import { freeCores, isInstalled, startModule } from './serving/processes.js'
import type { ServiceGiven, ServiceReady } from './serving/service.js'
import { writesWhile } from './serving/writer.js'
import type { LoadResult } from './serving/wrk.js'
import { load } from './serving/wrk.js'
import type { YardsticksReady } from './serving/yardsticks.js'
import { median, ratio } from './timing.js'

const rounds = 3

/** How fast cached responses are sent, beside nginx, node:http and Koa sending the same bytes, in turns. */
export async function serving(report: Report): Promise<void> {
  const section = report.section('serving', 'kept answers; a core serves, another one asks; 16 connections')
  const missing = ['nginx', 'wrk', 'taskset'].filter((program) => !isInstalled(program))
  if (missing.length > 0) {
    section.say(`skipped: ${missing.join(' and ')} not installed`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'edgewright-bench-'))
  const stops: (() => Promise<void>)[] = []
  try {
    const given: ServiceGiven = {
      dataDir: join(folder, 'data'),
      // An edge has some 170 of the services, so that its remap.config is 64 KB long; the list of all is 5 MB.
      fleet: {
        size: { servers: 40, cachegroups: 10, services: 2000, profiles: 13, tenants: 5 },
        share: 0.0826,
        alike: 1,
      },
    }
    const service = await startModule<ServiceReady>('service', given, 'serving core')
    stops.push(service.stop)
    if (isBusy)
      section.say('this machine is busy: rates are per second of processor time, and waiting times mean little')
    const { lane, koa, cookie } = service.ready
    const at = { url: lane, cookie }
    const path = '/api/1.3/servers/edge-0000/configfiles/cachesw/remap.config'
    const small = await bodiesOf(at, { size: 'small', path, folder })
    const large = await bodiesOf(at, { size: 'large', path: await listOf5MB(at), folder })
    section.say(
      `bodies: ${[...small, ...large].map(({ name, length }) => `${name} ${length.toLocaleString('en')}`).join(', ')} bytes`,
    )
    const beside = await startModule<YardsticksReady>('yardsticks', { bodies: [...small, ...large] }, 'serving core')
    stops.push(beside.stop)
    const nginx = await startNginx(folder, [...small, ...large])
    stops.push(nginx.stop)

    const sessioned = { cookie }
    const targets: Targets = {
      nginx: {
        pid: nginx.pid,
        url: ({ name }) => `${nginx.url}/${name}`,
        headers: {},
        etag: ({ name }) => nginx.etags.get(name)!,
      },
      raw: { pid: beside.pid, url: ({ name }) => `${beside.ready.raw}/${name}`, headers: {}, etag: ({ etag }) => etag },
      'bare Koa': {
        pid: beside.pid,
        url: ({ name }) => `${beside.ready.koa}/${name}`,
        headers: {},
        etag: ({ etag }) => etag,
      },
      lane: { pid: service.pid, url: (body) => `${lane}${body.path}`, headers: sessioned, etag: ({ etag }) => etag },
      koa: { pid: service.pid, url: (body) => `${koa}${body.path}`, headers: sessioned, etag: ({ etag }) => etag },
    }
    await rates(small, targets, section)
    await costs(large, targets, section)
    // Compiles have a thread of their own, which must not wait for the main one's core.
    freeCores(service.pid)
    const writing = await writesWhile(at, () =>
      load({ url: targets.lane.url(small[1]!), headers: { cookie, 'accept-encoding': 'gzip' }, seconds: 5 }),
    )
    section.goal(
      'p99 while 20 writes/s make the file stale',
      writing.result.p99,
      'ms',
      '<=',
      10,
      `${writing.writes} writes`,
    )
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Target {
  readonly pid: number
  readonly url: (body: Body) => string
  readonly headers: Readonly<Record<string, string>>
  readonly etag: (body: Body) => string
}
type Targets = Record<'nginx' | 'raw' | 'bare Koa' | 'lane' | 'koa', Target>

const names = ['nginx', 'raw', 'bare Koa', 'lane', 'koa'] as const

/**
 * Requests per second as seen; on a machine that is busy with other things, per second of the serving core's time,
 * which they disturb less.
 */
const isBusy = loadavg()[0]! > 1.5
const rate = ({ cost, perSecond }: Measured): number => (isBusy ? 1000 / cost : perSecond)

async function rates(bodies: readonly Body[], targets: Targets, section: Section): Promise<void> {
  const [identity, gzip, br] = bodies as [Body, Body, Body]
  const cases = [
    { name: '64 KB 304', body: identity, fresh: true, lane: 0.35, koa: 0.2 },
    { name: '64 KB gzip', body: gzip, fresh: false, lane: 0.55, koa: 0.25 },
    { name: '64 KB brotli', body: br, fresh: false, lane: 0.55, koa: null },
    { name: '64 KB identity', body: identity, fresh: false, lane: 0.7, koa: null },
  ]
  for (const { name, body, fresh, ...goals } of cases) {
    const results = await inRounds(targets, (target) => measure(target, body, fresh))
    const of = (one: keyof Targets) => compare(results, one)
    section.show(`${name}: nginx`, median(results.nginx.map(rate)), '/s')
    for (const one of ['raw', 'bare Koa'] as const) section.show(`${name}: ${one}`, ...of(one))
    section.goal(`${name}: fast lane`, of('lane')[0], '× nginx', '>=', goals.lane, of('lane')[2])
    if (goals.koa) section.goal(`${name}: through Koa`, of('koa')[0], '× nginx', '>=', goals.koa, of('koa')[2])
    else section.show(`${name}: through Koa`, ...of('koa'))
    section.show(`${name}: p99 of raw`, median(results.raw.map(({ p99 }) => p99)), 'ms')
    section.goal(`${name}: p99 of the fast lane`, median(results.lane.map(({ p99 }) => p99)), 'ms', '<=', 2)
  }
}

async function costs(bodies: readonly Body[], targets: Targets, section: Section): Promise<void> {
  for (const body of bodies) {
    const results = await inRounds(targets, (target) => measure(target, body, false))
    const name = `5 MB ${body.encoding}, processor per request`
    section.show(`${name}: nginx`, median(results.nginx.map(({ cost }) => cost)), 'ms')
    const costs = (one: keyof Targets) => results[one].map(({ cost }) => cost)
    for (const one of ['raw', 'bare Koa', 'koa'] as const) {
      section.show(`${name}: ${one}`, ratio(costs('nginx'), costs(one)), '× nginx')
    }
    const lane = ratio(costs('nginx'), costs('lane'))
    section.goal(`${name}: fast lane`, lane, '× nginx', '>=', body.encoding === 'identity' ? 0.35 : 0.6)
  }
}

interface Measured extends LoadResult {
  /** Processor milliseconds per request. */
  readonly cost: number
}

async function measure(target: Target, body: Body, fresh: boolean): Promise<Measured> {
  const before = processorMilliseconds(target.pid)
  const result = await load({ url: target.url(body), headers: headersFor(target, body, fresh), seconds: 1 })
  return { ...result, cost: (processorMilliseconds(target.pid) - before) / result.requests }
}

/** Its rate as a part of nginx's. */
function compare(results: Record<keyof Targets, Measured[]>, one: keyof Targets): [number, string, string] {
  const own = results[one]
  const seen = Math.round(median(own.map(({ perSecond }) => perSecond))).toLocaleString('en')
  const possible = Math.round(median(own.map(({ cost }) => 1000 / cost))).toLocaleString('en')
  return [ratio(own.map(rate), results.nginx.map(rate)), '× nginx', `${seen}/s, ${possible}/s of processor`]
}

function headersFor(target: Target, body: Body, fresh: boolean): Record<string, string> {
  return {
    ...target.headers,
    ...(body.encoding === 'identity' ? {} : { 'accept-encoding': body.encoding }),
    ...(fresh ? { 'if-none-match': target.etag(body) } : {}),
  }
}

async function inRounds<T>(targets: Targets, run: (target: Target) => Promise<T>): Promise<Record<keyof Targets, T[]>> {
  const results: Record<keyof Targets, T[]> = { nginx: [], raw: [], 'bare Koa': [], lane: [], koa: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await run(targets[name]))
  }
  return results
}

/** The path of a list of so many delivery services that it is 5 MB long. */
async function listOf5MB({ url, cookie }: { url: string; cookie: string }): Promise<string> {
  const path = '/api/1.3/deliveryservices?limit='
  const some = await (await fetch(`${url}${path}100`, { headers: { cookie } })).text()
  return `${path}${Math.round(5_000_000 / (some.length / 100))}`
}
