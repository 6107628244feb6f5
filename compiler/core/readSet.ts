import type { DependencyKey, Grain } from '../data/dependencyKeys.js'
import { indexKey, kindKey, recordKey } from '../data/dependencyKeys.js'
import type { AnyRecord } from '../data/kindSchema.js'
import type { WorkingSet } from '../data/workingSet.js'
import type { CompileContext } from './defineFile.js'
import { sealFragments } from './fragments.js'
import type { FragmentCache } from './keptFragments.js'
import { merged, Part } from './keptFragments.js'
import type { Tools } from './notes.js'
import { Notes } from './notes.js'
import type { Fragment, FragmentKey, Making, Reader } from './reader.js'

/** What can be read and noted: the data as it is now, or as it was (`past.ts`). */
export type Source = Pick<WorkingSet, 'get' | 'records' | 'ids' | 'allIds' | 'revision' | 'unmoved' | 'isTried'>

/** What was asked, for people: one line per question (`explain`). */
export interface Question {
  readonly kind: string
  readonly ask: 'get' | 'by' | 'ids' | 'has' | 'all'
  readonly index?: string
  readonly key?: string
  /** The ids of the records that were the answer. */
  readonly found: readonly number[]
}

export interface Recorder<R> {
  readonly data: R
  /** The dependency keys that were read so far, sorted, each once. */
  dependencies(): Uint32Array
  /** Every question in order; only kept by a recorder made with `explain`. */
  questions(): readonly Question[]
  /** What was noted beside it. */
  readonly notes: Notes
}

/**
 * A reader over the working set that notes what it was asked.
 *
 * @param grain `seen` for compiles: only the model's fields count; `full` for answers of the API
 * @param fragments parts kept between compiles; without it every part is made anew (and is itself explained)
 * @param tools what parts are laid out with; without them parts that are cannot be made
 */
export function recorder<R = Reader>(
  workingSet: Source,
  options: { grain: Grain; fragments?: FragmentCache | undefined; tools?: Tools; explain?: boolean },
): Recorder<R> {
  const { grain, fragments = null, tools = null, explain = false } = options
  sealFragments()
  if (fragments && workingSet.isTried) throw new Error('nothing can be kept of what is only tried')
  if (fragments && tools) fragments.layOutWith(tools.templates)
  const desk: Desk = { workingSet, fragments, notes: new Notes(tools), questions: explain ? [] : null }
  const recording = new Recording(desk, grain)
  return {
    data: recording as R,
    dependencies: () => recording.dependencies(),
    questions: () => desk.questions ?? [],
    notes: desk.notes,
  }
}

/** What a reader and the readers of its parts have in common. */
interface Desk {
  readonly workingSet: Source
  readonly fragments: FragmentCache | null
  readonly notes: Notes
  readonly questions: Question[] | null
}

const firstRoom = 4096

/**
 * There is one for every part that is made, thousands for a large file, so it is as little as can be: what was read
 * is a plain list, and sorted when it is asked for.
 */
class Recording {
  #read: DependencyKey[] = []
  /** How long the list may become before it is gone through for what was asked twice. */
  #room = firstRoom
  #parts: Part[] | null = null
  #gets: Map<string, number> | null = null

  constructor(
    private readonly desk: Desk,
    private readonly grain: Grain,
  ) {}

  get(kind: string, id: number | null): AnyRecord | undefined {
    if (id === null) return undefined
    const record = this.desk.workingSet.get(kind, id)
    this.#note(this.grain === 'full' && this.#manyGets(kind) ? kindKey(kind, 'full') : recordKey(kind, id, this.grain))
    this.desk.questions?.push({ kind, ask: 'get', key: String(id), found: record ? [id] : [] })
    return record
  }

  by(kind: string, index: string, key: string | number): readonly AnyRecord[] {
    return this.desk.workingSet.records(kind, this.#lookUp('by', kind, index, key))
  }

  ids(kind: string, index: string, key: string | number): readonly number[] {
    return this.#lookUp('ids', kind, index, key)
  }

  has(kind: string, index: string, key: string | number): boolean {
    return this.#lookUp('has', kind, index, key).length > 0
  }

  all(kind: string): readonly AnyRecord[] {
    const ids = this.desk.workingSet.allIds(kind)
    this.#note(kindKey(kind, this.grain))
    this.desk.questions?.push({ kind, ask: 'all', found: [...ids] })
    return this.desk.workingSet.records(kind, ids)
  }

  kept<K extends readonly FragmentKey[], T>(fragment: Fragment<K, T>, keys: K, warn: CompileContext['warn']): T {
    if (keys.length !== fragment.keys) throw new Error(`${fragment.name} has ${fragment.keys} keys, not ${keys.length}`)
    const { workingSet, fragments, notes } = this.desk
    if (!fragments) return fragment.make(this.#making(warn), ...keys)
    // The keys of a fragment are its own affair; fragments compare them.
    const part = fragments.find<T>(workingSet, fragment as never, keys) ?? this.#made(fragment, keys, fragments)
    this.#parts ??= []
    this.#parts.push(part)
    if (part.noted) {
      const { warnings, templates } = part.noted
      if (warnings) for (const { code, record, text } of warnings) warn(code, record, text)
      if (templates) for (const template of templates) notes.use(template)
    }
    return part.value
  }

  dependencies(): Uint32Array {
    return merged(this.#read, this.#parts)
  }

  #making(warn: CompileContext['warn']): Making {
    const { render, unseal } = this.desk.notes
    // It answers what `Reader` says, with the types of kinds forgotten.
    return { data: this as unknown as Reader, warn, render, unseal }
  }

  /** A part with what was read for it, in as little memory as it takes: it is kept. */
  #made<K extends readonly FragmentKey[], T>(fragment: Fragment<K, T>, keys: K, fragments: FragmentCache): Part<T> {
    const { notes, workingSet } = this.desk
    const inner = new Recording(this.desk, 'seen')
    const { value, warnings, templates } = notes.apart(() => fragment.make(inner.#making(notes.warn), ...keys))
    const noted = warnings || templates ? { warnings, templates } : null
    const read = { dependencies: inner.#read.slice(), parts: inner.#parts, revision: workingSet.revision }
    // As in `kept`.
    return fragments.keep(fragment as never, keys, new Part(value, noted, read))
  }

  #lookUp(ask: 'by' | 'ids' | 'has', kind: string, index: string, key: string | number): readonly number[] {
    const ids = this.desk.workingSet.ids(kind, index, key)
    const what = ask === 'by' ? this.grain : ask === 'ids' ? 'members' : 'some'
    this.#note(indexKey(kind, index, String(key), what))
    this.desk.questions?.push({ kind, ask, index, key: String(key), found: ask === 'has' ? ids.slice(0, 1) : [...ids] })
    return ids
  }

  #note(dependency: DependencyKey): void {
    if (this.#read.length >= this.#room) {
      this.#read = [...new Set(this.#read)]
      this.#room = 2 * Math.max(firstRoom, this.#read.length)
    }
    this.#read.push(dependency)
  }

  /** A list that looks up one record of a kind after the other ends up reading the kind. */
  #manyGets(kind: string): boolean {
    this.#gets ??= new Map()
    const count = (this.#gets.get(kind) ?? 0) + 1
    this.#gets.set(kind, count)
    return count > 64
  }
}
