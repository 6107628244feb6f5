import { recorder } from '../../compiler/core/readSet.js'
import type { AnyRecord } from '../../compiler/data/kindSchema.js'
import type { Data, Kind } from '../schema/data.js'
import type { Caller } from '../schema/privileges.js'
import type { Change } from '../store/store.js'
import type { Parts } from './parts.js'

/** What `If-Match` of a request may name. */
export interface Namable {
  /** The record that is changed, where it is one; else what is meant is the answer itself. */
  readonly self: { readonly kind: Kind; readonly id: number } | null
  /** The opaque parts of the ETags that its answers have on some data; none when nothing can be read. */
  readonly tags: (data: Data) => Iterable<string>
}

/** How many entries are looked back, page by page; most forms are saved again at once. */
const pages = [20, 200, 1800]
/** An entry with more changes than this is not taken back: whoever imports reads anew. */
const mostChanges = 500

interface Written {
  readonly user: string
  /** `null` when there are too many. */
  readonly changes: readonly Change[] | null
}

/** What looking back comes to: the present tag when all that was written since is the caller's own. */
type Found = { readonly present: string } | 'not theirs' | 'further back'

/**
 * Looks back in the journal for the state that an ETag named: the record was in it, and every entry that wrote the record
 * since is one user's. Where no single record is meant, no other user may have changed the answer. Nothing is remembered
 * for it, so it holds after a restart and at every instance.
 */
export class LookBack {
  constructor(private readonly given: Pick<Parts, 'store' | 'workingSet' | 'catalogue'>) {}

  /**
   * The tag that what is meant has at present, when it had one of those wanted before nobody but this user wrote; else
   * `null`.
   */
  async presentTag(means: Namable, wanted: readonly string[], user: Caller): Promise<string | null> {
    const { store, workingSet } = this.given
    const base = await store.base()
    let newest = workingSet.revision
    let oldest = newest
    let written: readonly Written[] = []
    for (const page of pages) {
      const from = Math.max(base, oldest - page)
      written = [...written, ...(await this.#written(from, oldest))]
      oldest = from
      for (; newest < workingSet.revision; newest += 1)
        written = [...(await this.#written(newest, newest + 1)), ...written]
      const found = this.#lookBack(means, wanted, written, user)
      if (typeof found === 'object') return found.present
      if (found === 'not theirs' || from === base) return null
    }
    return null
  }

  /** The entries after `from` up to `to`, the newest first. */
  async #written(from: number, to: number): Promise<Written[]> {
    const { store } = this.given
    const written: Written[] = []
    for (const { revision, user } of await store.headsAfter(from, to - from)) {
      let changes: Change[] | null = []
      for await (const slice of store.changesOf(revision)) {
        changes.push(...slice)
        if (changes.length <= mostChanges) continue
        changes = null
        break
      }
      written.unshift({ user, changes })
    }
    return written
  }

  /** Takes entries back one after the other, on a trial that ends with this call, until the answer is the one named. */
  #lookBack(means: Namable, wanted: readonly string[], written: readonly Written[], user: Caller): Found {
    const { workingSet } = this.given
    const trial = workingSet.trial()
    try {
      let answers = this.#answers(means)
      const [present] = answers.tags
      if (present === undefined) return 'not theirs'
      const isNamed = () => answers.tags.some((tag) => wanted.includes(tag))
      // It was decided on what is not durable yet.
      if (isNamed()) return { present }
      for (const { user: writer, changes } of written) {
        const isOwn = writer === user.username
        if (changes === null) return 'not theirs'
        if (changes.some((change) => namesAnew(change, user) || (!isOwn && isOf(means.self, change))))
          return 'not theirs'
        const touched = new Set<number>()
        for (const { kind, id, before } of changes.toReversed())
          trial.change(kind, id, before as AnyRecord | null, touched)
        if (!answers.reads(touched)) continue
        const then = this.#answers(means)
        if (!isOwn && means.self === null && then.tags.join() !== answers.tags.join()) return 'not theirs'
        answers = then
        if (isNamed()) return { present }
      }
      return 'further back'
    } finally {
      trial.rollback()
    }
  }

  /** The tags that what is meant has now, and whether what moves can give it others. */
  #answers({ tags }: Namable) {
    const { workingSet, catalogue } = this.given
    const { data, dependencies } = recorder<Data>(workingSet, { grain: 'full' })
    const found = [...tags(Object.assign(data, { keyOf: catalogue.keyOf }))]
    const read = new Set(dependencies())
    return { tags: found, reads: (touched: Iterable<number>) => [...touched].some((key) => read.has(key)) }
  }
}

const isOf = (self: Namable['self'], { kind, id }: Change): boolean => self?.kind === kind && self.id === id

/** Entries name their user; from where the caller got that name, older ones may be another's. */
const namesAnew = ({ kind, id, before }: Change, user: Caller): boolean =>
  kind === 'users' && id === user.id && before?.username !== user.username
