import type { IncomingMessage } from 'node:http'
import { badRequest, forbidden, invalid, notFound, unauthorized } from '../config/errors.js'
import { whileConnected } from '../flow/connection.js'
import type { Committer } from '../journal/commit.js'
import type { Plan } from '../journal/plan.js'
import { isDryRun, rehearsed } from '../operations/dryRun.js'
import type { Answer, Asked, Endpoint, WriteEndpoint } from '../operations/endpoint.js'
import type { Services } from '../operations/services.js'
import type { Place } from '../operations/transfer/importRoom.js'
import { ImportRoom } from '../operations/transfer/importRoom.js'
import { checker } from '../records/check.js'
import type { Data } from '../schema/data.js'
import type { Caller } from '../schema/privileges.js'
import type { Authenticator, Credentials } from './access/authenticate.js'
import { nobody } from './access/authenticate.js'
import { refuseForeign } from './access/crossSite.js'
import { lackingScope } from './access/lackingScope.js'
import { lacking } from './access/permission.js'
import { withRenewal } from './access/renewal.js'
import { committerFor, stamped, standingOf } from './access/standing.js'
import { advised } from './advice.js'
import type { Reply } from './answerBody.js'
import { begunReply, replyOf } from './answerBody.js'
import type { Forms } from './cache/encodings.js'
import type { Keeping } from './cache/keep.js'
import { createKeeper } from './cache/keep.js'
import type { KnownUrls } from './cache/knownUrls.js'
import { answerKey } from './cache/knownUrls.js'
import { prepare, represent } from './cache/represent.js'
import type { Answers, KeptAnswer } from './cache/responseCache.js'
import { hasTwoHosts } from './hosts.js'
import type { LongPolls } from './longPoll.js'
import { preconditionOf } from './precondition.js'
import { readRequestBody } from './requestBody.js'
import type { Found, Router } from './router.js'
import type { Target } from './target.js'
import { keyOf, targetOf } from './target.js'

interface Arriving {
  readonly found: Found
  readonly target: Target
  readonly request: IncomingMessage
  readonly credentials: Credentials | null
  readonly address: string
  readonly requestId: string
}

interface Asking extends Pick<Arriving, 'found' | 'target' | 'request' | 'credentials'> {
  readonly asked: Asked
}

const nothing = new Uint32Array(0)

/** Makes the reply to any request. Throws ApiError and the compiler's errors; `alerts.ts` words those. */
export function createHandler(given: {
  services: Services
  router: Router
  authenticate: Authenticator
  answers: Answers
  forms: Forms
  urls: KnownUrls
  longPolls: LongPolls
  addressOf: (request: IncomingMessage) => string
}): (request: IncomingMessage, requestId: string) => Promise<Reply> {
  const { services, router, authenticate, answers, urls, forms, longPolls, addressOf } = given
  const { workingSet, committer, settings } = services
  const checks = new Map<Endpoint, (value: unknown) => ReturnType<ReturnType<typeof checker>>>()

  const make = createKeeper({ services, answers })

  const imports = new ImportRoom()

  return async (request, requestId) => {
    const { method = 'GET', url = '/', headers } = request
    if (hasTwoHosts(request)) throw badRequest('The request names two hosts.')
    const target = targetOf(method, url, router)
    if (method !== 'HEAD' && target.found && changes(target.found.endpoint)) refuseForeign(request, settings)
    const credentials = authenticate(headers)
    if (credentials?.session && credentials.session.revision > workingSet.revision) {
      await committer.catchUp(credentials.session.revision)
    }
    const address = addressOf(request)
    const triesToken = !credentials && headers.authorization?.startsWith('Bearer ')
    if (triesToken && target.found?.endpoint.role !== 'none') refuseToken(address, requestId)
    const found = permitted(target, credentials)
    const arriving = { found, target, request, credentials, address, requestId }
    if (!found.endpoint.importBody) return answered(arriving, null)
    return imports.during(Number(headers['content-length'] ?? 0), (place) => answered(arriving, place))
  }

  async function answered(arriving: Arriving, place: Place | null): Promise<Reply> {
    const { found, target, request, credentials, address, requestId } = arriving
    const { endpoint, params } = found
    const user = (credentials ?? nobody).caller
    const asked: Asked = {
      params,
      query: target.query,
      body: endpoint.method === 'GET' ? undefined : await checkedBody(request, endpoint, place),
      version: found.version,
      user,
      headers: request.headers as Asked['headers'],
      address,
      requestId,
    }
    const asking = { found, target, asked, request, credentials }
    // A body may be long in coming, and whoever sends it may have lost the right to it meanwhile.
    if (endpoint.method !== 'GET') stillPermitted(asking, user)
    const reply = await answerTo(asking)
    if (endpoint.reveals && reply.status === 200) {
      const read = { user: user.username, address, requestId, route: endpoint.path, params }
      services.log.info(read, 'private keys were read')
    }
    return withRenewal(reply, credentials?.session ?? null, services)
  }

  /** Tokens are long; who sends wrong ones is told so, up to a point. */
  function refuseToken(address: string, requestId: string): void {
    services.logins.attempt({ kind: 'API token', name: '', address, requestId }, () => null)
  }

  /** The route, if the caller may call it. */
  function permitted({ found }: Target, credentials: Credentials | null): Found {
    if (found?.endpoint.role === 'none') return found
    if (!credentials) throw unauthorized()
    if (!found) throw notFound()
    mustBeAllowed(found, credentials.caller, services.data)
    return found
  }

  async function checkedBody(request: IncomingMessage, endpoint: Endpoint, place: Place | null): Promise<unknown> {
    const body = await readRequestBody(request, endpoint, place)
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

  async function answerTo(asking: Asking): Promise<Reply> {
    const { found, asked, request, target } = asking
    const { endpoint } = found
    if ('write' in endpoint) return written(endpoint, asking)
    if ('live' in endpoint) {
      const own = { ...services, committer: committerOf(asking) }
      const begun = await whileConnected(request, async (gone) => begunReply(await endpoint.live(asked, own, gone)))
      // What was done is told; what is only shown may have been long in coming.
      if (!changes(endpoint)) await shownTo(asking, begun)
      return { ...begun, mayStay: () => mayStay(asking) }
    }
    const { url = '/' } = request
    const { wish } = target
    const credentials = asking.credentials ?? nobody
    const known = { key: keyOf(found, target.query), isPersonal: endpoint.varies === 'caller' }
    // What is kept for all of the same rights is permitted, too, without knowing who of them asks.
    const user = known.isPersonal ? credentials.caller : credentials.unnamed
    const keeping: Keeping = {
      endpoint,
      asked: { ...asked, user, headers: {}, address: '', requestId: '' },
      key: answerKey(known, credentials),
      permit: () => stillPermitted(asking, user),
    }
    let answer = await longPolls.hold(wish, request, async () => {
      // Whoever waits may lose the right to what it waits for.
      if (wish.wait !== undefined) keeping.permit()
      return answers.get(keeping.key) ?? make(keeping)
    })
    for (let attempt = 0; attempt < mostAttempts; attempt++, answer = await make(keeping)) {
      if ('status' in answer) return answer
      if (wish.wait === undefined) urls.note(url, known)
      const delivered = await deliver(answer, request).catch((error) => {
        if (error instanceof BodyGone) return null
        throw error
      })
      if (delivered) return wish.wait === undefined ? delivered : withRevision(delivered, answer)
    }
    throw new Error(`what ${endpoint.path} answers does not fit into CACHE_MB`)
  }

  /** What is read to permit a request that was permitted when it came; throws when it is not so any more. */
  function stillPermitted({ found, credentials, request }: Asking, user: Caller): Uint32Array {
    if (found.endpoint.role === 'none') return nothing
    const now = authenticate(request.headers)
    if (!now || now.personal !== credentials?.personal) throw unauthorized()
    const { data, cells } = services.reading()
    mustBeAllowed(found, user, data)
    return cells()
  }

  /** The committer for all that a request decides. Whoever needs no session cannot lose it. */
  function committerOf({ found, asked, credentials }: Asking): Committer {
    if (found.endpoint.role === 'none') return committer
    const mustHave = (data: Data) => mustBeAllowed(found, asked.user, data)
    const session = credentials?.session ?? null
    const standing = standingOf(asked.user, session, { now: services.now, mustBeAllowed: mustHave })
    return committerFor(standing, committer, services.data)
  }

  async function shownTo(asking: Asking, { pieces }: Reply): Promise<void> {
    try {
      stillPermitted(asking, asking.asked.user)
    } catch (error) {
      await pieces?.rest.return?.()
      throw error
    }
  }

  /** Whether who watches a stream would still be let in. */
  function mayStay({ found, credentials, request }: Asking): boolean {
    const now = authenticate(request.headers)
    return now?.personal === credentials?.personal && (!now || lacks(found, now.caller, services.data) === null)
  }

  async function written(endpoint: WriteEndpoint, asking: Asking): Promise<Reply> {
    const { asked: given, target, credentials, request } = asking
    const own = committerOf(asking)
    const asked = endpoint.early ? await endpoint.early(given) : given
    const mustHold = preconditionOf(endpoint, asked, target.path, router)
    const decided = function* (plan: Plan): Generator<void, Answer> {
      mustHold(plan.data)
      const made = endpoint.write(asked, plan)
      return advised(Symbol.iterator in made ? yield* made : made, plan)
    }
    const steps = (plan: Plan) => stamped(credentials?.session ?? null, plan.data, decided(plan))
    if (isDryRun(asked)) {
      const tried = function* (plan: Plan) {
        return (yield* steps(plan)).value
      }
      return replyOf(await whileConnected(request, (gone) => rehearsed(own, asked, tried, gone)))
    }
    const { value: made, revision } = await own.writeFew(asked, steps)
    const { value, ...stamp } = made
    const headers = { ...value.headers, 'x-edgewright-revision': String(revision) }
    return { ...replyOf({ ...value, headers }), ...stamp }
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
}

const changes = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' || 'write' in endpoint || endpoint.changes === true

/** What the caller lacks for an endpoint, by role, tenant and scopes; `null` when nothing. */
const lacks = (found: Found, caller: Caller, data: Data): string | null =>
  lacking(found.endpoint, caller, data) ?? lackingScope(found, caller, data)

function mustBeAllowed(found: Found, caller: Caller, data: Data): void {
  const lacked = lacks(found, caller, data)
  if (lacked !== null) throw forbidden(lacked)
}

/** What the answer is known to be valid at: a client that waits on from there misses nothing. */
function withRevision(answer: Reply, { validAt, artifact }: KeptAnswer): Reply {
  const revision = Math.min(validAt, artifact?.validAt ?? validAt)
  return { ...answer, headers: { ...answer.headers, 'x-edgewright-revision': revision } }
}

/** The cache had to let a body go between finding and sending it; it is compiled again. */
class BodyGone extends Error {}

/** A body that is gone each time is larger than all that may be kept. */
const mostAttempts = 5
