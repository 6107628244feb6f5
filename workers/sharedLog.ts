import type { Template, TemplateSet } from '../compiler/core/templates.js'
import type { AnyRecord } from '../compiler/data/kindSchema.js'
import type { KindName } from '../compiler/data/model.js'
import { kinds } from '../compiler/data/model.js'
import type { AppliedChange, WorkingSet } from '../compiler/data/workingSet.js'

/** Where a thread has to be before it compiles. Passing it on copies nothing: the buffers are shared. */
export interface LogPosition {
  /** Counts the bases; a thread that holds another one starts over from `base`. */
  readonly generation: number
  readonly base: SharedArrayBuffer
  readonly log: SharedArrayBuffer
  /** Bytes of `log` that belong to this position. */
  readonly length: number
}

interface LoggedEntry {
  readonly revision: number
  readonly changes: readonly AppliedChange[]
}

/** What the frames of base and log say, in order. */
export type Frame =
  | { readonly revision: number }
  | { readonly kind: KindName; readonly records: readonly AnyRecord[] }
  | { readonly entry: { readonly revision: number; readonly changes: readonly AppliedChange[] } }
  | { readonly layout: { readonly generation: number; readonly templates: readonly (readonly [string, Template])[] } }

/** The records that a base is made of. */
export interface Records {
  allIds(kind: string): readonly number[]
  get(kind: string, id: number): AnyRecord | undefined
}

/**
 * The data as the compiling threads get it: the records at one revision as bytes, and behind them a growing log of
 * what came after. Only the main thread writes, only below `length` do threads read, so nothing is ever locked.
 * A full log is left to those who still read it; the next position starts at a new base.
 */
export class SharedLog {
  #position: LogPosition
  /** When the log is full, in bytes. */
  #room = 0
  #revision: number
  #templates: TemplateSet

  /**
   * @param maxLogBytes when the log is full at the latest; address space, not memory, until it is written. One that is
   * much longer than its base is begun anew before that, as it holds the same records many times
   */
  constructor(
    readonly workingSet: WorkingSet,
    templates: TemplateSet,
    readonly maxLogBytes = 32 * 1024 * 1024,
  ) {
    this.#templates = templates
    this.#revision = workingSet.revision
    this.#position = this.#rebased(1)
  }

  get position(): LogPosition {
    return this.#position
  }

  get templates(): TemplateSet {
    return this.#templates
  }

  /** An entry as the log has it. */
  frame({ revision, changes }: LoggedEntry): Uint8Array {
    const seen = changes.flatMap(({ kind, id, after }) =>
      isModelled(kind) ? [{ kind, id, after: after && modelled(kind, after) }] : [],
    )
    return encode({ entry: { revision, changes: seen } })
  }

  /** Whether `append` of this frame needs no new base, which takes long: `prepare` makes one in steps. */
  hasRoom(frame: Uint8Array): boolean {
    return this.#position.length + frame.length <= this.#room
  }

  /** Notes an entry that the working set has already applied; every entry, also one that no compile can see. */
  append(entry: LoggedEntry, frame = this.frame(entry)): void {
    if (entry.revision !== this.#revision + 1) {
      throw new Error(`revision ${entry.revision} cannot follow ${this.#revision} in the shared log`)
    }
    this.#revision = entry.revision
    this.#put([frame])
  }

  /**
   * As `append`, for an entry that the working set does not have yet: encoded in steps. What it returns makes the
   * entry known to the threads, to be called in the turn in which the working set moves.
   *
   * @param after the data with the entry
   */
  *prepare(entry: LoggedEntry, after: Records): Generator<void, () => void> {
    const frame = yield* entryFrame(entry)
    const fits = this.#position.length + sizeOf(frame) <= this.#room
    const templates = this.#templates
    const base = fits ? null : yield* baseOf(after, entry.revision, templates)
    return () => {
      if (entry.revision !== this.#revision + 1) {
        throw new Error(`revision ${entry.revision} cannot follow ${this.#revision} in the shared log`)
      }
      this.#revision = entry.revision
      if (!base) return this.#put(frame)
      this.#position = this.#startingAt(base, this.#position.generation + 1)
      if (this.#templates !== templates) this.#putTemplates()
    }
  }

  /** Tasks from now on are laid out with these templates. */
  publish(templates: TemplateSet): void {
    this.#templates = templates
    this.#putTemplates()
  }

  /** They have room of their own where the log is full of entries: the next of those has a new base made in steps. */
  #putTemplates(): void {
    this.#put([encode(frameOf(this.#templates))], this.#room + templateRoom)
  }

  /** Behind what is there already; a full log begins anew with the working set as it is now. */
  #put(pieces: readonly Uint8Array[], room = this.#room): void {
    const { generation, base, log, length } = this.#position
    const end = length + sizeOf(pieces)
    if (end > room) {
      this.#position = this.#rebased(generation + 1)
      return
    }
    if (end > log.byteLength) log.grow(Math.min(room, Math.max(end, 2 * log.byteLength)))
    const bytes = new Uint8Array(log)
    let at = length
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    this.#position = { generation, base, log, length: end }
  }

  #rebased(generation: number): LogPosition {
    if (this.workingSet.revision !== this.#revision) {
      throw new Error(`the working set is at revision ${this.workingSet.revision}, the log at ${this.#revision}`)
    }
    const steps = baseOf(this.workingSet, this.#revision, this.#templates)
    for (;;) {
      const step = steps.next()
      if (step.done) return this.#startingAt(step.value, generation)
    }
  }

  #startingAt(base: SharedArrayBuffer, generation: number): LogPosition {
    this.#room = Math.min(this.maxLogBytes, Math.max(leastLogBytes, 4 * base.byteLength))
    const log = new SharedArrayBuffer(Math.min(firstLogBytes, this.#room), {
      maxByteLength: this.#room + templateRoom,
    })
    return { generation, base, log, length: 0 }
  }
}

/** The frames between two offsets, one parsed at a time. */
export function* framesIn(buffer: SharedArrayBuffer, from: number, to: number): Generator<Frame> {
  const bytes = Buffer.from(buffer)
  for (let at = from; at < to; ) {
    const end = at + 4 + bytes.readUInt32LE(at)
    yield JSON.parse(bytes.toString('utf8', at + 4, end))
    at = end
  }
}

/** Every record of the model at a revision, in steps. */
function* baseOf(records: Records, revision: number, templates: TemplateSet): Generator<void, SharedArrayBuffer> {
  const frames = [encode({ revision }), encode(frameOf(templates))]
  for (const kind of Object.keys(kinds) as KindName[]) {
    const ids = records.allIds(kind)
    for (let from = 0; from < ids.length; from += recordsPerFrame) {
      const some = ids.slice(from, from + recordsPerFrame)
      frames.push(encode({ kind, records: some.map((id) => modelled(kind, records.get(kind, id)!)) }))
      yield
    }
  }
  const base = new SharedArrayBuffer(sizeOf(frames))
  const bytes = new Uint8Array(base)
  let at = 0
  for (const frame of frames) {
    bytes.set(frame, at)
    at += frame.length
    yield
  }
  return base
}

/** The frame of one entry in pieces, a change a step. */
function* entryFrame({
  revision,
  changes,
}: {
  readonly revision: number
  readonly changes: readonly AppliedChange[]
}): Generator<void, Uint8Array[]> {
  const pieces = [Buffer.from(`{"entry":{"revision":${revision},"changes":[`)]
  let texts: string[] = []
  let isFirst = true
  const flush = () => {
    if (texts.length === 0) return
    pieces.push(Buffer.from(`${isFirst ? '' : ','}${texts.join(',')}`))
    isFirst = false
    texts = []
  }
  for (const { kind, id, after } of changes) {
    if (isModelled(kind)) texts.push(JSON.stringify({ kind, id, after: after && modelled(kind, after) }))
    if (texts.length === changesPerPiece) flush()
    yield
  }
  flush()
  pieces.push(Buffer.from(']}}'))
  const header = Buffer.alloc(4)
  header.writeUInt32LE(sizeOf(pieces))
  return [header, ...pieces]
}

const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

const recordsPerFrame = 500
const changesPerPiece = 200
const firstLogBytes = 64 * 1024
/** Behind the last entry that fits, for templates; some hundred times what all of them take. */
const templateRoom = 16 * 1024 * 1024
const leastLogBytes = 4 * 1024 * 1024

function encode(frame: Frame): Uint8Array {
  const text = JSON.stringify(frame)
  const bytes = Buffer.allocUnsafeSlow(4 + Buffer.byteLength(text))
  bytes.writeUInt32LE(bytes.length - 4)
  bytes.write(text, 4)
  return bytes
}

const frameOf = ({ generation, templates }: TemplateSet): Frame => ({
  layout: { generation, templates: [...templates] },
})

const isModelled = (kind: string): kind is KindName => Object.hasOwn(kinds, kind)

const fieldsOf = new Map<string, readonly string[]>(
  Object.entries(kinds).map(([kind, { fields, links }]) => [
    kind,
    ['id', ...Object.keys(fields), ...Object.keys(links)],
  ]),
)

/** Only what the compiler's model names leaves the main thread. */
function modelled(kind: KindName, record: AnyRecord): AnyRecord {
  const out: Record<string, unknown> = {}
  for (const field of fieldsOf.get(kind) ?? []) out[field] = record[field as 'id']
  return out as AnyRecord
}
