import type { IncomingMessage } from 'node:http'
import { recorder } from '../compiler/readSet.js'
import { bodyOf, jsonType } from './answerBody.js'
import type { Answers, KeptAnswer } from './answers.js'
import type { Authenticator, Credentials } from './authenticate.js'
import { readRequestBody } from './body.js'
import type { Data } from './data.js'
import { isDryRun, rehearsed } from './dryRun.js'
import type { Answer, Asked, Endpoint } from './endpoint.js'
import { etagOf } from './entityTag.js'
import { forbidden, invalid, notFound, unauthorized } from './errors.js'
import { isHalfSpent } from './fastLane.js'
import type { Forms } from './forms.js'
import { type LongPolls, withoutWish } from './longPoll.js'
import { lacking } from './permission.js'
import { begin, type Pieces } from './pieces.js'
import type { Plan } from './plan.js'
import { preconditionOf } from './precondition.js'
import { prepare, represent, standingHeaders } from './represent.js'
import { checker } from './resource/check.js'
import { anonymous, type Caller } from './roles.js'
import type { Found, Router } from './routing.js'
import { mayCall } from './scopes.js'
import type { Services } from './services.js'
import { sessionCookie, sessionMilliseconds, stampOf } from './sessions.js'
import type { EventStream } from './stream.js'

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | number>
  readonly body: string | Uint8Array | null
  /** Set when the body is made as it is sent. */
  readonly pieces?: Pieces
  /** Set when the answer is a stream of events that this function writes. */
  readonly stream?: (stream: EventStream) => Promise<void>
}

/** Makes the reply to any request. Throws ApiError and the compiler's errors; `alerts.ts` words those. */
export function createHandler(given: {
  services: Services
  router: Router
  authenticate: Authenticator
  answers: Answers
  forms: Forms
  longPolls: LongPolls
  addressOf: (request: IncomingMessage) => string
}): (request: IncomingMessage, requestId: string) => Promise<Reply> {
  const { services, router, authenticate, answers, forms, longPolls, addressOf } = given
  const { workingSet, committer, sessions, settings, now } = services
  const checks = new Map<Endpoint, (value: unknown) => ReturnType<ReturnType<typeof checker>>>()

  return async (request, requestId) => {
    const { method = 'GET', url = '/' } = request
    const at = url.indexOf('?')
    const found = router.find(method, at < 0 ? url : url.slice(0, at))
    const credentials = authenticate(request.headers)
    const address = addressOf(request)
    if (credentials?.session && credentials.session.revision > workingSet.revision) {
      await committer.catchUp(credentials.session.revision)
    }
    const triesToken = !credentials && request.headers.authorization?.startsWith('Bearer ')
    if (triesToken && found?.endpoint.role !== 'none') refuseToken(address, requestId)
    const caller = permitted(found, credentials)
    const { endpoint, params, version } = found!
    const asked: Asked = {
      params,
      query: at < 0 ? {} : queryOf(url.slice(at + 1)),
      body: method === 'GET' || method === 'HEAD' ? undefined : await checkedBody(request, endpoint),
      version,
      user: caller,
      headers: request.headers as Asked['headers'],
      address,
      requestId,
    }
    const reply = await answerTo(endpoint, asked, request, credentials, requestId)
    if (endpoint.reveals && reply.status === 200) {
      const { username } = caller
      services.log.info({ user: username, address, requestId, route: endpoint.path, params }, 'private keys were read')
    }
    return withSession(reply, credentials, workingSet.revision)
  }

  /** Tokens are long; who sends wrong ones is told so, up to a point. */
  function refuseToken(address: string, requestId: string): void {
    services.logins.attempt({ kind: 'API token', name: '', address, requestId }, () => null)
  }

  function permitted(found: Found | null, credentials: Credentials | null): Caller {
    if (found?.endpoint.role === 'none') return credentials?.caller ?? anonymous
    if (!credentials) throw unauthorized()
    if (!found) throw notFound()
    const lacks = lacking(found.endpoint, credentials.caller, services.data)
    if (lacks !== null) throw forbidden(lacks)
    if (!mayCall(found, credentials.caller, services.data)) throw forbidden()
    return credentials.caller
  }

  async function checkedBody(request: IncomingMessage, endpoint: Endpoint): Promise<unknown> {
    const body = await readRequestBody(request, endpoint)
    if (!endpoint.body) return body
    let check = checks.get(endpoint)
    if (!check) {
      check = checker(endpoint.body)
      checks.set(endpoint, check)
    }
    const faults = check(body ?? {})
    if (faults.length > 0) throw invalid(faults)
    return body ?? {}
  }

  async function answerTo(
    endpoint: Endpoint,
    asked: Asked,
    request: IncomingMessage,
    credentials: Credentials | null,
    requestId: string,
  ): Promise<Reply> {
    if ('write' in endpoint) return replyOf(await written(endpoint, asked, request, requestId))
    // What is kept under a URL is the GET's.
    if (endpoint.method !== 'GET') return reply(await endpoint.live(asked, services))
    const variant = 'varies' in endpoint && endpoint.varies === 'caller' ? credentials?.personal : credentials?.variant
    const key = `${variant ?? ''} ${withoutWish(request.url ?? '')}`
    const make = async (): Promise<KeptAnswer | Reply> =>
      'read' in endpoint ? keep(key, readAnswer(endpoint, asked)) : made(key, await endpoint.live(asked, services))
    let found = await longPolls.hold(asked, request, async () => {
      // Whoever waits may lose the right to what it waits for.
      if (authenticate(request.headers)?.variant !== credentials?.variant) throw unauthorized()
      return answers.get(key) ?? make()
    })
    for (; ; found = await make()) {
      if ('status' in found) return found
      const delivered = await deliver(found, request).catch((error) => {
        if (error instanceof BodyGone) return null
        throw error
      })
      if (delivered) return asked.query.wait === undefined ? delivered : withRevision(delivered, found)
    }
  }

  async function made(key: string, answer: Answer): Promise<KeptAnswer | Reply> {
    if (answer.compiled) return keepCompiled(key, answer.compiled)
    if (!answer.kept) return reply(answer)
    return keep(key, { answer, cells: answer.kept.cells, revision: answer.kept.readAt })
  }

  async function written(
    endpoint: Extract<Endpoint, { write: unknown }>,
    given: Asked,
    { url = '/' }: IncomingMessage,
    requestId: string,
  ): Promise<Answer> {
    const asked = endpoint.early ? await endpoint.early(given) : given
    const mustHold = preconditionOf(endpoint, asked, url.split('?')[0]!, router)
    const decide = (plan: Plan): Answer => {
      mustHold(plan.data)
      return endpoint.write(asked, plan)
    }
    if (isDryRun(asked)) return rehearsed(committer, asked, decide)
    const { value, revision } = await committer.write({ user: asked.user, requestId }, decide)
    return { ...value, headers: { ...value.headers, 'x-edgewright-revision': String(revision) } }
  }

  function readAnswer(
    endpoint: Extract<Endpoint, { read: unknown }>,
    asked: Asked,
  ): { answer: Answer; cells: Uint32Array; revision: number } {
    const { memos, ...tools } = services.compileBasis()
    const how = endpoint.reads === 'model' ? { grain: 'seen' as const, memos, tools } : { grain: 'full' as const }
    const { data, cells } = recorder<Data>(workingSet, how)
    // What is kept for everybody of a privilege and tenant must not be able to depend on more.
    const user = endpoint.varies === 'caller' ? asked.user : { ...asked.user, id: 0, username: '' }
    const answer = endpoint.read(
      { ...asked, user, headers: {}, address: '', requestId: '' },
      Object.assign(data, { keyOf: services.catalogue.keyOf }),
    )
    return { answer, cells: cells(), revision: workingSet.revision }
  }

  function keep(key: string, { answer, cells, revision }: ReturnType<typeof readAnswer>): KeptAnswer | Reply {
    if (answer.status !== undefined && answer.status !== 200) return replyOf(answer)
    const { body, contentType } = bodyOf(answer)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const kept: KeptAnswer = {
      cells,
      validAt: revision,
      etag: answer.kept?.etag ?? etagOf(bytes),
      contentType,
      length: bytes.length,
      headers: answer.headers ?? {},
      bytes,
      artifact: answer.kept?.artifact ?? null,
      wires: {},
    }
    answers.set(key, kept)
    return kept
  }

  function keepCompiled(
    key: string,
    { artifact, cells, readAt, fileName }: NonNullable<Answer['compiled']>,
  ): KeptAnswer {
    const kept: KeptAnswer = {
      cells,
      validAt: readAt,
      etag: artifact.etag,
      contentType: artifact.contentType,
      length: artifact.length,
      headers: { 'content-disposition': `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, '_')}"` },
      bytes: null,
      artifact,
      wires: {},
    }
    answers.set(key, kept)
    return kept
  }

  async function deliver(kept: KeptAnswer, { headers }: IncomingMessage): Promise<Reply> {
    const wanted = {
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: headers['accept-encoding'] as string | undefined,
    }
    const ready = represent(kept, wanted, forms, workingSet.revision)
    if (ready) return ready
    if (!(await prepare(kept, wanted, forms, services.artifacts))) throw new BodyGone()
    const made = represent(kept, wanted, forms, workingSet.revision)
    if (!made) throw new BodyGone()
    return made
  }

  /** Sliding sessions, and the revision the user wrote last, so that another instance answers no older. */
  function withSession(answer: Reply, credentials: Credentials | null, revision: number): Reply {
    const session = credentials?.session
    if (!session || 'set-cookie' in answer.headers) return answer
    const wrote = answer.headers['x-edgewright-revision'] !== undefined && !('etag' in answer.headers)
    if (!wrote && !isHalfSpent(session.expires, now())) return answer
    const value = sessions.sign({
      userId: session.userId,
      expires: now().getTime() + sessionMilliseconds,
      stamp: stampOf(services.data.get('users', session.userId)?.passwordHash ?? null),
      revision: Math.max(session.revision, wrote ? revision : 0),
      begun: session.begun,
    })
    const cookie = sessionCookie(value, {
      now: now(),
      milliseconds: sessionMilliseconds,
      secure: settings.secureCookies,
    })
    return { ...answer, headers: { ...answer.headers, 'set-cookie': cookie } }
  }
}

/** What the answer is known to be valid at: a client that waits on from there misses nothing. */
function withRevision(answer: Reply, { validAt, artifact }: KeptAnswer): Reply {
  const revision = Math.min(validAt, artifact?.validAt ?? validAt)
  return { ...answer, headers: { ...answer.headers, 'x-edgewright-revision': revision } }
}

/** The cache had to let a body go between finding and sending it; it is compiled again. */
class BodyGone extends Error {}

async function reply(answer: Answer): Promise<Reply> {
  if (!answer.pieces) return replyOf(answer)
  const begun = await begin(answer.pieces)
  if (typeof begun === 'string') return replyOf({ ...answer, raw: { body: begun, contentType: jsonType } })
  return { ...replyOf({ ...answer, raw: { body: '', contentType: jsonType } }), pieces: begun }
}

function replyOf(answer: Answer): Reply {
  const { body, contentType } = bodyOf(answer)
  return {
    status: answer.status ?? 200,
    headers: { ...standingHeaders, 'content-type': contentType, ...answer.headers },
    body,
    ...(answer.stream ? { stream: answer.stream } : {}),
  }
}

/** The first value of each parameter; a null prototype, so no name means anything to JavaScript. */
function queryOf(text: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(text)) if (!(name in query)) query[name] = value
  return query
}
