import type { Planned } from '../diskSpace.js'
import type { Broken } from '../store.js'
import { StoreBroken, StoreUnavailable } from '../store.js'
import type { Put, Tables } from '../tables.js'

const usualEdit: Planned = { puts: 16, bytes: 64_000 }

/** Every write to the tables of a store in use, and whether the last one failed. */
export class EmbeddedWrites {
  readonly #tables: Tables
  readonly #broken: Broken
  #failure: StoreUnavailable | null = null

  constructor(tables: Tables, broken: Broken) {
    this.#tables = tables
    this.#broken = broken
  }

  get hasFailed(): boolean {
    return this.#failure !== null
  }

  /** As `Tables.write`; throws StoreUnavailable. */
  write(puts: readonly Put[], atLeast?: Planned): void {
    try {
      this.#tables.write(puts, atLeast)
      this.#failure = null
    } catch (cause) {
      if (cause instanceof StoreBroken) {
        this.#broken(cause)
        throw cause
      }
      this.#failure = new StoreUnavailable(`The data directory cannot be written: ${(cause as Error).message}`, {
        cause,
      })
      throw this.#failure
    }
  }

  /** After a write has failed, only a write that succeeds, with room for a usual edit, shows that the next can. */
  probe(value: string): void {
    if (this.#failure) this.write([[this.#tables.probe, 'written', value]], usualEdit)
  }
}
