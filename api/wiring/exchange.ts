import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { overtaken, restoring } from '../config/errors.js'
import type { Settings } from '../config/settings.js'
import { jsonType } from '../flow/jsonText.js'
import { alertsFor } from '../middleware/alerts.js'
import { requestIdOf } from '../middleware/requestId.js'
import { standingHeaders } from '../middleware/standingHeaders.js'
import type { Taking } from '../operations/backup/restoring.js'
import type { Ending } from '../operations/ending.js'
import type { History } from '../store/replacement.js'
import { endHistory, putInPlace } from '../store/replacement.js'
import type { Generation } from './generation.js'

/** How long, in ms, until a store that cannot be opened is tried again. */
const retryDelay = 1000
/** How often other instances may be first. */
const mostTries = 200

/**
 * The generation that answers, and how the next one takes its place beneath the same socket. First nothing more is
 * written, and reads go on. Once it is decided, requests are put off, what is open comes to its end, and the old
 * generation is closed before the next is made: nothing that was kept of one history is known to the other.
 */
export class Exchange {
  #current: Generation
  #isServing = false
  #isUnderWay = false
  #isRenewed = false
  #isOver = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly given: {
      readonly settings: Settings
      readonly log: Logger
      readonly ending: Ending
      readonly first: Generation
      readonly next: () => Promise<Generation>
    },
  ) {
    this.#current = this.#followed(given.first)
  }

  get current(): Generation {
    return this.#current
  }

  /** Whether requests are put off. */
  get isUnderWay(): boolean {
    return this.#isUnderWay
  }

  /** The service listens. */
  begin(): void {
    this.#isServing = true
    this.#current.begin()
  }

  /** Answers a request that nobody can answer at the moment. */
  putOff(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0]
    const { status, headers, body } = alertsFor(restoring(), this.given.log, requestIdOf(request))
    const isAlive = path === '/livez'
    const state = isAlive ? { status: 'ok' } : { status: 'unavailable', restoring: true }
    const isState = isAlive || path === '/readyz'
    const text = isState ? JSON.stringify(state) : String(body)
    response.writeHead(isAlive ? 200 : status, { ...(isAlive ? standingHeaders : headers), 'content-type': jsonType })
    response.end(text)
  }

  /** Has a restored store take the place of the one in use; rejects when that one is in use still. */
  replace(taking: Taking): Promise<void> {
    // What another instance put in place waits for all that is open here, this restore included.
    if (this.#isRenewed) return Promise.reject(restoring())
    return this.#afterOthers(() => this.#replace(taking))
  }

  #followed(generation: Generation): Generation {
    generation.follow(() => this.#renew(generation))
    return generation
  }

  /** Loads anew what another instance put in place. */
  #renew(old: Generation): void {
    if (this.#isOver) return
    this.#isRenewed = true
    this.#afterOthers(async () => {
      if (this.#current !== old) return
      this.given.log.warn('a restore has put another store into the place of this one: loading it')
      await old.services.committer.stop()
      await this.#exchange(null, async () => {})
    })
      .catch((error: unknown) => this.given.log.fatal({ err: error }, 'the store that was restored cannot be loaded'))
      .finally(() => {
        this.#isRenewed = false
      })
  }

  /** Lets what is under way end, and closes what is current then: nothing takes its place any more. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#running
    await this.#current.close()
  }

  async #replace({ replacement, permitted, own }: Taking): Promise<void> {
    const { settings } = this.given
    const { committer } = this.#current.services
    await committer.stop()
    try {
      permitted()
      if ('history' in replacement) await this.#endHistory(replacement.history, permitted)
    } catch (error) {
      committer.resume()
      throw error
    }
    await this.#exchange(own, async () => {
      if ('folder' in replacement) await putInPlace(settings, replacement)
    })
  }

  /** Decided like any write: on all that is in the journal, and nothing comes after it. */
  async #endHistory(next: History, permitted: () => void): Promise<void> {
    const { committer, workingSet, store } = this.#current.services
    let tries = 0
    const at = async (): Promise<number> => {
      if (tries === mostTries) throw overtaken()
      if (tries > 0) await committer.catchUp(await store.head())
      tries += 1
      permitted()
      return workingSet.revision
    }
    await endHistory(this.given.settings, { name: store.history, next, at })
  }

  async #exchange(own: IncomingMessage | null, put: () => Promise<void>): Promise<void> {
    const { ending, settings, log } = this.given
    this.#isUnderWay = true
    this.#current.endWaiting()
    const cut = await ending.finished(settings.shutdownMilliseconds, own)
    if (cut > 0) log.warn({ requests: cut }, 'requests were cut: they were not finished before the restore')
    await this.#current.close()
    const failed = await put().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    const next = await this.#next()
    if (next) {
      this.#current = this.#followed(next)
      if (this.#isServing) next.begin()
      this.#isUnderWay = false
      log.warn({ revision: next.services.workingSet.revision }, 'the store was loaded anew')
    }
    if (failed) throw failed.error
  }

  /** However long the store is away; `null` when the process ends meanwhile. */
  async #next(): Promise<Generation | null> {
    const { ending, log, next } = this.given
    for (;;) {
      try {
        return await next()
      } catch (error) {
        log.error({ err: error }, 'the store cannot be loaded; trying again')
        if (ending.hasBegun) return null
        await delay(retryDelay)
      }
    }
  }

  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work)
    // The next only waits for it; how it went, its own caller hears.
    this.#running = done.catch(() => {})
    return done
  }
}
