import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { readSettings } from '../api/config/settings.js'
import type { Service } from '../api/server.js'
import { openService } from '../api/server.js'
import { asking } from './asking.js'
import type { Content } from './preparedData.js'
import { admin, cheapHash, prepareData } from './preparedData.js'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The parsed body, or its text when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

export interface Client {
  readonly url: string
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  /** As `request`, but anything other than 200 fails the test with the alerts. */
  ok(method: string, path: string, body?: unknown): Promise<Answered>
  /** The session, as a cookie header. */
  cookie(): string
}

export interface TestServer extends Client {
  readonly service: Service
  readonly dataDir: string
  readonly admin: { readonly username: string; readonly password: string }
  /** A client without a session. */
  readonly anonymous: Client
  /** A client of this server with a session made elsewhere. */
  withCookie(cookie: string): Client
  /** A client with a session of its own. */
  login(username: string, password: string): Promise<Client>
  /** Makes a user of a role and logs in. */
  as(role: string, options?: { tenant?: string; username?: string }): Promise<Client>
  close(): Promise<void>
}

export interface BuildOptions {
  readonly env?: Record<string, string>
  readonly dataDir?: string
  readonly now?: () => Date
  readonly templateFolder?: string
  readonly log?: Logger
}

/** Whether what the service begins with can be a copy: nothing that it depends on is the test's own. */
export const canBeCopied = ({ env = {}, dataDir, now }: BuildOptions): boolean =>
  dataDir === undefined && isPresent(now) && Object.keys(env).every((name) => !decidesData.has(name))

/** The copy was made moments ago. */
const isPresent = (now = () => new Date()): boolean => Math.abs(now().getTime() - Date.now()) < 60_000

const decidesData = new Set([
  'MONGODB_URI',
  'DATA_DIR',
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'SESSION_SECRET',
  'VAULT_KEY',
])

/**
 * A whole service on port 0 with an embedded store in a folder of its own, and a client logged in as admin.
 *
 * @param content what it begins with where that can be a copy; else it makes a first start
 */
export async function buildServer(options: BuildOptions = {}, content: Content = 'first start'): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'edgewright-test-'))
  if (canBeCopied(options)) await prepareData(dataDir, content)
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    WORKERS: '1',
    LOG_LEVEL: 'silent',
    ...options.env,
  })
  const service = await openService(settings, {
    log: options.log ?? pino({ level: settings.logLevel }),
    ...(options.now ? { now: options.now } : {}),
    ...(options.templateFolder ? { templateFolder: options.templateFolder } : {}),
  })
  await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`
  const login = async (username: string, password: string): Promise<Client> => {
    const answer = await client(url).ok('POST', '/api/1.3/user/login', { u: username, p: password })
    return client(url, answer.headers.getSetCookie()[0]!.split(';')[0])
  }
  const own = await login(admin.username, admin.password)
  let users = 0
  return {
    ...own,
    service,
    dataDir,
    admin,
    anonymous: client(url),
    withCookie: (cookie) => client(url, cookie),
    login,
    as: async (role, { tenant = 'root', username = `${role}-${users++}` } = {}) => {
      const email = `${username}@example.net`
      const user = { username, email, fullName: username, role, tenant, passwordHash: cheapHash(admin.password) }
      await own.ok('POST', '/api/1.3/import', { users: [user] })
      return login(username, admin.password)
    },
    close: async () => {
      service.server.closeAllConnections()
      await service.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function client(url: string, cookie?: string): Client {
  let session = cookie
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const {
      status,
      headers: got,
      text,
    } = await asking(`${url}${path}`, {
      method,
      headers: {
        ...(session ? { cookie: session } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const set = got.getSetCookie().find((one) => one.startsWith('mojolicious='))
    if (set && session) session = set.split(';')[0]
    const isJson = got.get('content-type')?.includes('json') && text !== ''
    return { status, headers: got, body: isJson ? JSON.parse(text) : text, text }
  }
  return {
    url,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    cookie: () => session ?? '',
    ok: async (method, path, body) => {
      const answer = await request(method, path, body)
      // 302: it was done, and what came of it is to be read elsewhere.
      if (answer.status !== 200 && answer.status !== 302)
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
      return answer
    },
  }
}
