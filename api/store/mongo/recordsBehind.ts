import type { Failed, Unawaited } from '../../flow/failed.js'
import type { MongoRecords } from './mongoRecords.js'

/** How long, in ms, until records that could not be written are tried again. */
const retryDelay = 1000

/** The records, which are written after their entries. Nobody waits for them: what they are is in the journal. */
export class RecordsBehind {
  readonly #records: MongoRecords
  readonly #failed: Failed
  #running: Promise<void> | null = null
  #isBehind = false
  #isStopped = false
  #retry: NodeJS.Timeout | undefined

  constructor(records: MongoRecords, failed: Failed) {
    this.#records = records
    this.#failed = failed
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Writes them beside whatever else is done, and again until it goes well. */
  catchUp(): void {
    this.write().catch((error: unknown) => this.tell('records', error))
  }

  /** Runs until nothing is left to do; callers share the run that is under way. */
  write(): Promise<void> {
    this.#isBehind = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Of what fails because the store is being closed nobody is told. */
  tell(work: Unawaited, error: unknown): void {
    if (!this.#isStopped) this.#failed(work, error)
  }

  /** What has to end when it is stopped, however it does. */
  stop(): Promise<void> | null {
    this.#isStopped = true
    clearTimeout(this.#retry)
    return this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isBehind && !this.#isStopped) {
        this.#isBehind = false
        await this.#records.catchUp()
      }
    } catch (error) {
      if (!this.#isStopped) this.#retry = setTimeout(() => this.catchUp(), retryDelay).unref()
      throw error
    } finally {
      this.#running = null
    }
  }
}
