import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import type { Logger } from 'pino'
import pino from 'pino'
import { packageRoot } from './config/packageRoot.js'
import type { Settings } from './config/settings.js'
import { createRestorer } from './operations/backup/restorer.js'
import { Ending } from './operations/ending.js'
import { createFailures } from './operations/failures.js'
import { createLogins } from './operations/logins/logins.js'
import { createThrottle } from './operations/logins/throttle.js'
import { createMetrics } from './operations/metrics.js'
import { sweepWorkplaces } from './store/replacement.js'
import type { Broken } from './store/store.js'
import { HistoryReplaced } from './store/store.js'
import { createSocket } from './wiring/createSocket.js'
import { Exchange } from './wiring/exchange.js'
import type { Generation, Surroundings } from './wiring/generation.js'
import { createGeneration } from './wiring/generation.js'

export interface Service extends Pick<Generation, 'services' | 'answer' | 'compileMany' | 'generatedPassword'> {
  readonly server: Server
  /** A connection to it within the process, by which a command asks what others ask over the network. */
  connect(): Duplex
  /** Starts the threads, which the first compile would wait for otherwise. */
  warmUp(): void
  /** Resolves when the store has failed beneath the process: it is to end, and to be started anew. */
  readonly broken: Promise<Error>
  /**
   * Finishes open requests, up to a deadline, and what was begun; then lets go of everything.
   *
   * @param why what made it end, when nobody asked for it; readiness says it
   */
  close(why?: string): Promise<void>
}

/**
 * Puts the service together: what answers, and the socket that outlasts it when a restore puts another in its place.
 * Listens nowhere yet.
 *
 * @param options.existing refuses an empty store instead of making a first start of it
 * @param options.operator by this token the process asks itself, as `system`: for one that does not listen
 * @param options.beforeFirstStart told when an empty store is about to get its administrator, whose password is told once
 */
export async function openService(
  settings: Settings,
  options: {
    now?: () => Date
    log?: Logger
    templateFolder?: string
    existing?: boolean
    operator?: string | null
    beforeFirstStart?: () => void
  } = {},
): Promise<Service> {
  const {
    now = () => new Date(),
    log = pino({ level: settings.logLevel }),
    templateFolder = join(packageRoot, 'templates'),
    existing = false,
    operator = null,
    beforeFirstStart,
  } = options
  const ending = new Ending()
  const metrics = createMetrics()
  const failed = createFailures({ log, metrics })
  let broken: Broken = () => undefined
  const breaks = new Promise<Error>((resolve) => {
    broken = resolve
  })
  const surroundings: Surroundings = {
    now,
    log,
    failed,
    broken,
    templateFolder,
    metrics,
    ending,
    operator,
    logins: createLogins({ throttle: createThrottle({ entries: 50_000 }), now, log }),
    // Restores are asked for by requests, and those come by way of the exchange.
    restorer: createRestorer({ settings, broken, exchange: (...given) => exchange.replace(...given) }),
  }
  const first = await whileReplaced(() =>
    createGeneration(settings, { ...surroundings, existing, another: false, beforeFirstStart }),
  )
  try {
    sweepWorkplaces(settings)
  } catch (error) {
    failed('leftovers', error)
  }
  const exchange = new Exchange({
    settings,
    log,
    ending,
    first,
    next: () => createGeneration(settings, { ...surroundings, existing: true, another: true }),
  })
  const server = createSocket({ settings, log, options: socketOptions, answer: noted(exchange, ending) })
  server.once('listening', () => exchange.begin())

  const answer: RequestListener = (request, response) => exchange.current.answer(request, response)
  return {
    get services() {
      return exchange.current.services
    },
    server,
    connect: () => connectedTo(server),
    broken: breaks,
    answer,
    get compileMany() {
      return exchange.current.compileMany
    },
    generatedPassword: first.generatedPassword,
    warmUp: () => exchange.current.warmUp(),
    close: async (why) => {
      ending.begin(why)
      const given = surroundings.restorer.stop()
      exchange.current.endWaiting()
      const cut = await ending.over(server, settings.shutdownMilliseconds)
      if (cut > 0) log.warn({ requests: cut }, 'requests were cut: they were not finished in time')
      await given
      await exchange.close()
    },
  }
}

/** Another instance's restore may end the history that is being loaded: then what it put in place is loaded. */
async function whileReplaced<T>(make: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof HistoryReplaced)) throw error
    }
  }
}

/** One end of a connection whose other end the server takes for one of a socket. */
function connectedTo(server: Server): Duplex {
  const [ours, theirs] = duplexPair()
  server.emit('connection', theirs)
  return ours
}

/** What is done with every request before it is known what it asks. */
const noted =
  (exchange: Exchange, ending: Ending): RequestListener =>
  (request, response) => {
    const { current } = exchange
    current.note(request, response)
    if (ending.hasBegun) ending.makeLast(response)
    if (exchange.isUnderWay) exchange.putOff(request, response)
    else current.answerFast(request, response)
  }

const socketOptions = {
  maxHeaderSize: 16 * 1024,
  requestTimeout: 60_000,
  headersTimeout: 15_000,
  joinDuplicateHeaders: true,
}
