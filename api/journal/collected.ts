import { same } from '../../compiler/data/kindTable.js'
import type { Data } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Change, LogLine, StoredRecord } from '../store/store.js'
import type { RecordKind } from './recordKind.js'

/** A record that a line names and nothing changes. */
interface Mentioned {
  readonly kind: string
  readonly before: object | null
  readonly after: null
}

/** A record as it was and as it is now; `null` where it is not. */
interface Noted {
  readonly before: Row | null
  readonly after: Row | null
}

/** What a transaction has come to so far: what its entry will hold, and what whoever writes should know. */
export class Collected {
  readonly lines: LogLine[] = []
  readonly #changes = new Map<string, Change>()
  readonly #mentioned: Mentioned[] = []
  readonly #advice = new Map<string, readonly string[]>()

  /** However often a record is written, it changes once: from what it was before the first time to what it is now. */
  note(resource: RecordKind, id: number, { before, after }: Noted, data: Data): void {
    const { kind } = resource
    const name = `${kind}/${id}`
    const first = this.#changes.get(name)
    const earliest = first ? first.before : (before as StoredRecord | null)
    if (earliest === null && after === null) this.#changes.delete(name)
    else this.#changes.set(name, { kind, id, before: earliest, after: after as StoredRecord | null })
    if (after !== null && resource.advises) this.#advice.set(name, [...resource.advises(after, data)])
  }

  mention(kind: string, before: object | undefined): void {
    this.#mentioned.push({ kind, before: before ?? null, after: null })
  }

  get changes(): readonly Change[] {
    return [...this.#changes.values()].filter(isOne)
  }

  *changesInSteps(): Generator<void, Change[]> {
    const changes: Change[] = []
    for (const change of this.#changes.values()) {
      if (isOne(change)) changes.push(change)
      yield
    }
    return changes
  }

  get advice(): readonly string[] {
    return [...this.#advice.values()].flat()
  }

  /** Every record that was changed or mentioned. */
  *named(): Generator<Change | Mentioned> {
    yield* this.#changes.values()
    yield* this.#mentioned
  }
}

/** What is as it was in the end was not changed. */
const isOne = ({ before, after }: Change): boolean => !same(before, after)
