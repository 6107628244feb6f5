import type { CompileContext } from './defineFile.js'
import type { TemplateSet } from './templates.js'
import type { Warning } from './warnings.js'

/** What was noted while a part was made; `null` for nothing. */
export interface Noted {
  readonly warnings: readonly Warning[] | null
  readonly templates: readonly string[] | null
}

/** What texts are laid out and sealed values opened with. */
export interface Tools {
  readonly templates: TemplateSet
  unseal(sealed: string): string
}

/**
 * What a compile notes beside the data it reads. Parts that are kept keep their notes too, so that a file made
 * of kept parts reports the same warnings as one made from scratch.
 */
export class Notes {
  /** Lists only once something is noted: there are as many as kept parts, and few note anything. */
  #warnings: Warning[] | null = null
  #used: string[] | null = null
  /** What the last part used. */
  #lately: readonly string[] | null = null

  /** @param tools `null` for whoever only reads: a part that is laid out cannot be made then */
  constructor(readonly tools: Tools | null) {}

  readonly warn: CompileContext['warn'] = (code, record, text) => {
    this.#warnings ??= []
    this.#warnings.push({ code, record, text })
  }

  readonly render: CompileContext['render'] = (template, view) => {
    if (!this.tools) throw new Error(`nothing is laid out here, ${template} neither`)
    this.use(template)
    return this.tools.templates.render(template, view)
  }

  readonly unseal: CompileContext['unseal'] = (sealed) => {
    if (!this.tools) throw new Error('nothing is unsealed here')
    return this.tools.unseal(sealed)
  }

  use(template: string): void {
    this.#used ??= []
    if (!this.#used.includes(template)) this.#used.push(template)
  }

  /** What `make` gives, and what it noted, apart from what was noted before. */
  apart<T>(make: () => T): Noted & { readonly value: T } {
    const [warnings, used] = [this.#warnings, this.#used]
    this.#warnings = null
    this.#used = null
    try {
      const value = make()
      return { value, warnings: this.#warnings, templates: this.#usedLately() }
    } finally {
      this.#warnings = warnings
      this.#used = used
    }
  }

  /** Each warning once, in the order they came; templates sorted. */
  taken(): { warnings: readonly Warning[]; templates: readonly string[] } {
    const distinct = new Map(this.#warnings?.map((warning) => [JSON.stringify(warning), warning]))
    return { warnings: [...distinct.values()], templates: this.#used?.sort() ?? [] }
  }

  /** Parts of one kind use the same templates, and can keep the same list. */
  #usedLately(): readonly string[] | null {
    const [used, lately] = [this.#used, this.#lately]
    if (!used || (lately?.length === used.length && used.every((template, i) => template === lately[i]))) {
      return used && lately
    }
    this.#lately = used
    return used
  }
}

/** For whoever asks for parts and is not interested in what is amiss with them. */
export const unheard: CompileContext['warn'] = () => undefined
