import { createHash } from 'node:crypto'
import type { Answered } from './build.js'

/** What one run of the cache agent did, and what it found wrong. */
export interface Run {
  readonly asked: readonly string[]
  readonly files: ReadonlyMap<string, string>
  readonly problems: readonly string[]
  /** Whether it told the service that the update is applied. */
  readonly acknowledged: boolean
}

interface Options {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly host: string
  /** Release 2.2 logs in with a form at an address of its own; default 3.0. */
  readonly release?: '2.2' | '3.0'
  /** The plugins that are installed on the machine; without one that remap.config names the file is refused. */
  readonly plugins?: (name: string) => boolean
  /** Called between two requests, by their number: where operators come in between. */
  readonly between?: (path: string) => Promise<void>
}

/**
 * One run of the field's cache agent in its mode that applies updates, request by request as it makes them
 * (clients.md §4): a login with a body that does not say it is JSON, the cookie by its name, no `Accept-Encoding`,
 * digests or lengths checked, statuses and bodies judged as it judges them. It writes nothing to a disk.
 */
export async function runAgent(options: Options): Promise<Run> {
  const { url, username, password, host, release = '3.0', plugins, between } = options
  const input: string[] = []
  const problems: string[] = []
  const files = new Map<string, string>()
  let cookie = ''

  const send = async (method: string, path: string, body?: string): Promise<Answered> => {
    await between?.(path)
    input.push(`${method} ${path}`)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { cookie, 'accept-encoding': 'identity', ...(body === undefined ? {} : type) }
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: null }
  }
  const get = async (path: string): Promise<string> => {
    const { status, headers, text } = await send('GET', path)
    if (status !== 200 || /^\d{3}$/.test(text)) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`)
    const digest = headers.get('whole-content-sha512')
    const length = headers.get('content-length')
    if (digest === null && length === null) problems.push(`${path} has neither digest nor length`)
    if (digest !== null && digest !== createHash('sha512').update(text).digest('base64')) {
      problems.push(`${path} does not have the digest it says`)
    }
    if (length !== null && Number(length) !== Buffer.byteLength(text)) problems.push(`${path} is cut short`)
    return text
  }
  // biome-ignore lint/suspicious/noExplicitAny: the agent looks into documents without knowing their types
  const json = async (path: string): Promise<any> => JSON.parse(await get(path))
  const run = (acknowledged: boolean): Run => ({ asked: input, files, problems, acknowledged })

  const said = { u: username, p: password }
  const login =
    release === '2.2'
      ? await send('POST', '/login', String(new URLSearchParams(said)))
      : await send('POST', '/api/1.3/user/login', JSON.stringify(said))
  cookie = (login.headers.get('set-cookie') ?? '').split(';')[0]!
  if (!cookie.startsWith('mojolicious=')) throw new Error('there is no cookie named mojolicious')

  const { parameters } = (await json('/api/1.2/system/info.json')).response
  const [status] = await json(`/api/1.3/servers/${host}/update_status`)
  const reval = status.use_reval_pending ?? parameters.use_reval_pending
  if (status.upd_pending !== true) {
    await json(`/api/1.3/servers/${host}/update_status`)
    return run(false)
  }
  if (reval && status.parent_pending === true) problems.push('the parents have not been updated')
  const names = (await json('/api/1.2/statuses')).response.map(({ name }: { name: string }) => name)
  if (!names.includes(status.status)) problems.push(`the status ${status.status} is not among the statuses`)
  const { info, configFiles } = await json(`/api/1.2/servers/${host}/configfiles/ats`)
  for (const name of ['profileName', 'cdnName', 'serverIpv4']) {
    if (typeof info[name] !== 'string') problems.push(`the listing has no ${name}`)
  }
  for (const { name, version } of await json(`/ort/${host}/packages`)) {
    if (typeof name !== 'string' || typeof version !== 'string') problems.push(`a package is no name and version`)
  }
  for (const { name, value } of await json(`/ort/${host}/chkconfig`)) {
    if (typeof name !== 'string' || !/on|off/.test(value)) problems.push(`the service ${name} is neither on nor off`)
  }
  for (const { fnameOnDisk, location, apiUri } of configFiles) {
    if (typeof location !== 'string') problems.push(`there is no location for ${fnameOnDisk}`)
    if (apiUri === undefined) continue
    const text = await get(apiUri)
    if (text === '') problems.push(`${fnameOnDisk} is empty`)
    files.set(fnameOnDisk, substituted(text, info, host))
  }
  checkHeaders(files, parameters['tm.toolname'], problems)
  const isRefused = checkPlugins(files, plugins ?? (() => true), problems)
  await json(`/api/1.3/servers/${host}/update_status`)
  if (isRefused) return run(false)
  const { text } = await send('POST', `/update/${host}`, 'updated=0&reval_updated=0')
  if (text !== 'Success') problems.push(`the acknowledgement was answered ${text.slice(0, 200)}`)
  return run(true)
}

function substituted(text: string, info: Record<string, unknown>, host: string): string {
  const port = info.serverTcpPort === 80 ? '' : `:${info.serverTcpPort}`
  return text
    .replaceAll(':__SERVER_TCP_PORT__', port)
    .replaceAll('__CACHE_IPV4__', String(info.serverIpv4))
    .replaceAll('__HOSTNAME__', host)
    .replaceAll('__RETURN__', '\n')
}

/** Files without the header that names the tool count as changed for ever; these kinds have none. */
const withoutHeader =
  /^(12M_facts|motd|.*\.(pem|key|cer|yaml|lua)|uri_signing_.*|.*facts.*|collectd.*|to_ext_.*|.*\.rules)$/

function checkHeaders(files: ReadonlyMap<string, string>, tool: string, problems: string[]): void {
  const header = new RegExp(`DO NOT EDIT - Generated for .* by ${tool.replace(/[^\w ]/g, '\\$&')}`)
  for (const [name, text] of files) {
    if (!header.test(text.split('\n', 3).join('\n')) && !withoutHeader.test(name)) {
      problems.push(`${name} has no header: ${text.slice(0, 80)}`)
    }
  }
}

/** Every plugin has to be installed, and every file a plugin is given has to be in the listing. */
function checkPlugins(files: ReadonlyMap<string, string>, has: (name: string) => boolean, problems: string[]): boolean {
  const remap = files.get('remap.config') ?? ''
  const missing = [...remap.matchAll(/@plugin=(\S+)/g)].map(([, name]) => name!).filter((name) => !has(name))
  for (const name of new Set(missing)) problems.push(`the plugin ${name} is not installed`)
  for (const [, file] of remap.matchAll(/@pparam=(?:--\w+=)?([\w./-]+\.config)(?=\s)/g)) {
    if (!files.has(file!.split('/').at(-1)!)) problems.push(`no location information for ${file}`)
  }
  return missing.length > 0
}
