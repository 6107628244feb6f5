import createClient from 'openapi-fetch'
import type { paths } from './api.js'

/*
 * README's tour with a client that openapi-typescript makes of the OpenAPI document: there is no cast in it, so what
 * the document says of types is enough. Prints what it found as JSON.
 *
 *     node tour.js http://127.0.0.1:8080 admin PASSWORD
 */
const [baseUrl = '', u = '', p = ''] = process.argv.slice(2)

/** What was answered, or an end with the alerts of a refusal. */
function answered<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`)
  return data
}

const login = await createClient<paths>({ baseUrl }).POST('/api/1.3/user/login', { body: { u, p } })
answered(login)
const cookie = login.response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const api = createClient<paths>({ baseUrl, headers: { cookie } })

const { response: servers } = answered(
  await api.GET('/api/1.3/servers', { params: { query: { type: 'EDGE', limit: 2, sortOrder: 'asc' } } }),
)
const [first] = servers
if (!first) throw new Error('there is no edge')

const file = { id: first.hostName, file: 'remap.config' }
const text = answered(
  await api.GET('/api/1.3/servers/{id}/configfiles/cachesw/{file}', { params: { path: file }, parseAs: 'text' }),
)
const why = answered(
  await api.GET('/api/1.3/servers/{id}/configfiles/cachesw/{file}', {
    params: { path: file, query: { explain: true } },
  }),
)
if (typeof why === 'string' || !('records' in why.response)) throw new Error('it was not explained')

const { response: cdns } = answered(await api.GET('/api/1.3/cdns', { params: { query: { id: first.cdnId } } }))
const [cdn] = cdns
if (!cdn) throw new Error('the server is in no CDN')
const renamed = answered(
  await api.PUT('/api/1.3/cdns/{id}', {
    params: { path: { id: String(cdn.id) }, query: { dryRun: true } },
    body: { name: 'renamed', domainName: 'renamed.example.net', dnssecEnabled: cdn.dnssecEnabled },
  }),
)

const { response: lines } = answered(await api.GET('/api/1.3/logs', { params: { query: { limit: 5 } } }))

const refused = await api.GET('/api/1.3/servers/{id}', { params: { path: { id: '0' } } })

const changed: string[] = (renamed.changes ?? []).map(({ kind, action }) => `${action} ${kind}`)
console.log(
  JSON.stringify({
    servers: servers.map(({ hostName, interfaceMtu }) => `${hostName} ${interfaceMtu.toFixed(0)}`),
    file: text.split('\n')[0],
    why: why.response.records.map(({ kind }) => kind),
    renamed: renamed.response.name,
    changed,
    log: lines.map(({ user, message }) => `${user}: ${message}`),
    refused: refused.error?.alerts.map(({ level }) => level),
  }),
)
