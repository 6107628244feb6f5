import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import type { TestServer } from './build.js'
import { routes } from './routes.js'

/** What answers with the present of something outside, or never ends, or differs by the moment it is made. */
const live =
  /\/(health|capacity|routing|state|usage|stats|ping|watch|backup|dbdump|newcount|metric_types)(\/|$)|_stats|unversioned/

/** Every GET of every route on records that there are and some that there are not: what it answers, to the byte. */
export async function everything(app: TestServer): Promise<Map<string, string>> {
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
export async function lived(app: TestServer): Promise<void> {
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
