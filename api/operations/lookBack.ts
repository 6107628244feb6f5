import { recorder } from '../../compiler/core/readSet.js'
import type { AnyRecord } from '../../compiler/data/kindSchema.js'
import { isLong, turn } from '../flow/turns.js'
import type { Data, Kind } from '../schema/data.js'
import type { Caller } from '../schema/privileges.js'
import type { Change } from '../store/store.js'
import type { Span } from './journalHeads.js'
import { headsBackwards } from './journalHeads.js'
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
/**
 * What is taken back at most for one request, in changes and in records that are read for the answers of then: a trial
 * holds everybody up until it ends. Whoever asks across more, or across an import, reads anew.
 */
const mostWork = 1000

interface Written {
  readonly user: string
  /** `null` when there are too many, with those of later entries. */
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
    const left = () => mostWork - written.reduce((sum, { changes }) => sum + (changes?.length ?? mostWork), 0)
    for (const page of pages) {
      const from = Math.max(base, oldest - page)
      written = [...written, ...(await this.#written({ after: from, upTo: oldest }, left()))]
      oldest = from
      for (; newest < workingSet.revision; newest += 1)
        written = [...(await this.#written({ after: newest, upTo: newest + 1 }, left())), ...written]
      const found = this.#lookBack(means, wanted, written, user)
      if (typeof found === 'object') return found.present
      if (found === 'not theirs' || from === base) return null
    }
    return null
  }

  /** The entries of a span, the newest first, down to the one with which there are more changes than `most`. */
  async #written(span: Span, most: number): Promise<Written[]> {
    const { store } = this.given
    const written: Written[] = []
    let left = most
    for await (const { revision, user } of headsBackwards(store, span)) {
      let changes: Change[] | null = []
      for await (const slice of store.changesOf(revision)) {
        left -= slice.length
        if (left < 0) changes = null
        if (changes === null) break
        changes.push(...slice)
        if (isLong()) await turn()
      }
      written.push({ user, changes })
      if (changes === null) break
      if (isLong()) await turn()
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
      let work = 0
      for (const { user: writer, changes } of written) {
        const isOwn = writer === user.username
        if (changes === null || work > mostWork) return 'not theirs'
        if (changes.some((change) => namesAnew(change, user) || (!isOwn && isOf(means.self, change))))
          return 'not theirs'
        const touched = new Set<number>()
        for (const { kind, id, before } of changes.toReversed())
          trial.change(kind, id, before as AnyRecord | null, touched)
        work += changes.length
        if (!answers.reads(touched)) continue
        work += answers.records
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

  /** The tags that what is meant has now, whether what moves can give it others, and how much was read for it. */
  #answers({ tags }: Namable) {
    const { workingSet, catalogue } = this.given
    const { data, dependencies } = recorder<Data>(workingSet, { grain: 'full' })
    const found = [...tags(Object.assign(data, { keyOf: catalogue.keyOf }))]
    const read = new Set(dependencies())
    const reads = (touched: Iterable<number>) => [...touched].some((key) => read.has(key))
    return { tags: found, reads, records: read.size }
  }
}

const isOf = (self: Namable['self'], { kind, id }: Change): boolean => self?.kind === kind && self.id === id

/** Entries name their user; from where the caller got that name, older ones may be another's. */
const namesAnew = ({ kind, id, before }: Change, user: Caller): boolean =>
  kind === 'users' && id === user.id && before?.username !== user.username
