import type { IncomingMessage } from 'node:http'
import type { Replacement } from '../../store/replacement.js'
import type { Restored } from '../../store/store.js'
import type { Header } from './format.js'

/** What takes the body by itself, or does not end with a commit, asks this of the request. */
export interface Call {
  readonly request: IncomingMessage
  /** Throws when who asked may not any more. */
  stillPermitted(): void
}

/** What puts a restored store in place. */
export interface Taking {
  readonly replacement: Replacement
  /** Throws when whoever asked may not any more. */
  readonly permitted: () => void
  /** The request that waits for it. */
  readonly own: IncomingMessage
}

export interface Restorer {
  /**
   * Takes a backup from a request and has it take the place of what the store holds; of a dry run only the check.
   * Whatever is refused has changed nothing.
   */
  restore(
    call: Call,
    how: { dryRun: boolean; gone: AbortSignal },
  ): Promise<{ header: Header; restored: Restored | null }>
  /** Gives up what has not taken its place yet; resolves when nothing is under way any more. */
  stop(): Promise<void>
}
