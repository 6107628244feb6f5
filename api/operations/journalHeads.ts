import type { EntryHead, Store } from '../store/store.js'

/** Revisions after one, up to and with another. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

/** Entries that are read from the store at a time. */
const atOnce = 100

/** The entries of a span, the oldest first. */
export async function* headsForwards(
  store: Pick<Store, 'headsAfter'>,
  { after, upTo }: Span,
): AsyncGenerator<EntryHead> {
  for (let at = after; at < upTo; ) {
    const heads = await store.headsAfter(at, Math.min(atOnce, upTo - at))
    yield* heads
    at = heads.at(-1)?.revision ?? upTo
  }
}

/** The newest first: revisions follow each other, so each window of them is as many entries. */
export async function* headsBackwards(
  store: Pick<Store, 'headsAfter'>,
  { after, upTo }: Span,
): AsyncGenerator<EntryHead> {
  for (let at = upTo; at > after; ) {
    const start = Math.max(after, at - atOnce)
    yield* (await store.headsAfter(start, at - start)).toReversed()
    at = start
  }
}
