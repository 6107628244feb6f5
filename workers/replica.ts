import { FragmentCache } from '../compiler/core/keptFragments.js'
import type { TemplateSet } from '../compiler/core/templates.js'
import { templateSet } from '../compiler/core/templates.js'
import { modelSchema } from '../compiler/data/model.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import type { Frame, LogPosition } from './sharedLog.js'
import { framesIn } from './sharedLog.js'

const revisionsBetween = 4000

/** A thread's own copy of the data, at one position of the shared log. */
export class Replica {
  readonly generation: number
  readonly workingSet = new WorkingSet(modelSchema)
  readonly fragments: FragmentCache
  #templates: TemplateSet | null = null
  #length = 0
  #swept: number

  /** @param partBytes bound on the parts it keeps between compiles */
  constructor({ generation, base }: LogPosition, partBytes: number) {
    this.generation = generation
    this.fragments = new FragmentCache(partBytes)
    const frames = framesIn(base, 0, base.byteLength)
    const head: Frame | undefined = frames.next().value
    if (!head || !('revision' in head)) throw new Error('the shared base does not begin with its revision')
    this.workingSet.load(head.revision, this.#records(frames))
    this.#swept = head.revision
  }

  get templates(): TemplateSet {
    if (!this.#templates) throw new Error('the shared base holds no templates')
    return this.#templates
  }

  /** Reads what it has not read yet. A position that lies behind changes nothing: newer data is never wrong. */
  catchUp({ log, length }: LogPosition): void {
    if (length <= this.#length) return
    for (const frame of framesIn(log, this.#length, length)) {
      if ('entry' in frame) this.workingSet.apply(frame.entry)
      else if ('layout' in frame) this.#layOutWith(frame.layout)
    }
    this.#length = length
    this.#sweep()
  }

  /** Now and then what is stale goes, so that what moved long ago need not be remembered. */
  #sweep(): void {
    const { fragments, workingSet } = this
    if (workingSet.revision - this.#swept < revisionsBetween) return
    for (const _ of fragments.sweep(workingSet));
    this.#swept = workingSet.revision
    for (const _ of workingSet.forget(this.#swept));
  }

  *#records(frames: Iterable<Frame>) {
    for (const frame of frames) {
      if ('layout' in frame) this.#layOutWith(frame.layout)
      else if ('kind' in frame) for (const record of frame.records) yield { kind: frame.kind, record, revision: 0 }
    }
  }

  #layOutWith({ generation, templates }: Extract<Frame, { layout: unknown }>['layout']): void {
    this.#templates = templateSet(new Map(templates), generation)
    this.fragments.clear()
  }
}
