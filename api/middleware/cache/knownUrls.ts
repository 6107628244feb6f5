import type { LRUCache } from 'lru-cache'
import type { Budget } from '../../../compiler/core/budget.js'

/** What a URL's text was found to ask. */
export interface KnownUrl {
  /** The name of what is asked (`keyOf`). */
  readonly key: string
  /** Whether its answer differs from user to user. */
  readonly isPersonal: boolean
  /** What of it nothing reads, for the header that says so: of the URL, not of the answer, which others share. */
  readonly ignored: string | null
}

/** A longer URL is read anew each time; those of clients that poll are short. */
const longest = 1024

/** An entry costs something besides its text. */
const overhead = 200

/**
 * Leads from a URL's text to what it asks, so that the fast path need not read it. Many texts may lead to one key;
 * what is kept is only ever kept under the key. A text asks the same for as long as the process runs, so nothing here
 * becomes stale; it is bounded, because anybody can make up another spelling.
 */
export class KnownUrls {
  readonly #known: LRUCache<string, KnownUrl>

  constructor(private readonly budget: Budget) {
    this.#known = budget.cache('urls', { size: (_known, url) => url.length + overhead })
  }

  get(url: string): KnownUrl | undefined {
    return this.#known.get(url)
  }

  note(url: string, known: KnownUrl): void {
    if (url.length > longest || this.#known.has(url)) return
    this.#known.set(url, known)
    this.budget.trim()
  }
}

/** Under what an answer is kept: what was asked, and all that it may depend on in who asked. */
export const answerKey = (
  { key, isPersonal }: Pick<KnownUrl, 'key' | 'isPersonal'>,
  { shared, personal }: { readonly shared: string; readonly personal: string },
): string => (isPersonal ? personal : shared) + key
