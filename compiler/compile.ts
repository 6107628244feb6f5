import { type CompileContext, FileMissing, type Scope, type Subjects } from './define.js'
import { type Header, headerOf } from './header.js'
import type { IndexName, Key, KindName, Model } from './model.js'
import type { Reader } from './reader.js'
import { type Memos, type Question, recorder } from './readSet.js'
import type { Registry } from './registry.js'
import type { TemplateSet } from './templates.js'
import type { Warning } from './warnings.js'
import type { WorkingSet } from './workingSet.js'

/** One file for one server, profile or CDN. */
export interface CompileJob {
  readonly file: string
  readonly scope: Scope
  readonly subjectId: number
}

/** What a compile works on and with. */
export interface CompileBasis {
  readonly workingSet: WorkingSet
  readonly registry: Registry
  readonly templates: TemplateSet
  /** Parts kept between compiles of this working set; leave out inside a trial. */
  readonly memos?: Memos
  unseal(sealed: string): string
}

export interface Compiled {
  readonly text: string
  readonly contentType: string
  readonly warnings: readonly Warning[]
  /** The cells that were read, sorted: the text is valid until one of them moves. */
  readonly readSet: Uint32Array
  /** The templates it was laid out with, sorted: the text is valid until their fingerprint changes. */
  readonly templates: readonly string[]
  /** Every question the view asked, when the compile was to explain itself; otherwise empty. */
  readonly questions: readonly Question[]
}

/** A view or template failed: a mistake in the program or a template, never the caller's. */
export class CompileFailed extends Error {
  override name = 'CompileFailed'
}

/**
 * Compiles one file from the working set as it is now. A pure function of the records it reads and the templates.
 *
 * Throws FileMissing when the subject or the file does not exist, CompileFailed for everything else.
 */
export function compile(
  job: CompileJob,
  { workingSet, registry, templates, memos, unseal }: CompileBasis,
  options: { explain?: boolean } = {},
): Compiled {
  const { file, scope, subjectId } = job
  const { data, cells, questions } = recorder<Reader>(workingSet, {
    grain: 'seen',
    explain: options.explain === true,
    ...(memos && !options.explain ? { memos } : {}),
  })
  const subject = data.get(scope, subjectId)
  const resolved = subject && registry.resolve(file)
  const view = resolved?.definition.views[scope] as ((context: CompileContext) => object) | undefined
  if (!subject || !resolved || !view) throw new FileMissing(`${file} does not exist for ${scope} ${subjectId}.`)
  const { definition, parts } = resolved
  const notes = new Notes(templates)
  const context: CompileContext = { data: notes.through(data), subject, file, parts, unseal, ...notes.context }
  try {
    const shown = view(context)
    const text = notes.context.render(definition.template, withHeader(shown, scope, context))
    const { warnings, used } = notes.taken()
    return {
      text,
      contentType: definition.contentType,
      warnings,
      readSet: cells(),
      templates: used,
      questions: questions(),
    }
  } catch (error) {
    if (error instanceof FileMissing) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CompileFailed(`${file} for ${nameOf(subject)} could not be compiled: ${reason}`, { cause: error })
  }
}

export const nameOf = (subject: Subjects[Scope]): string => ('hostName' in subject ? subject.hostName : subject.name)

/** The header is only read, and only counts as read, when the template has one. */
function withHeader(view: object, scope: Scope, context: CompileContext): object {
  let header: Header | undefined
  return {
    ...view,
    get header() {
      header ??= headerOf(scope, context)
      return header
    },
  }
}

interface Noted {
  readonly warnings: readonly Warning[] | null
  readonly used: readonly string[] | null
}

/**
 * What a compile notes beside the data it reads. Parts that are kept keep their notes too, so that a file made
 * of kept parts reports the same warnings as one made from scratch.
 */
class Notes {
  /** Lists only once something is noted: there are as many as kept parts, and few note anything. */
  #warnings: Warning[] | null = null
  #used: string[] | null = null
  /** What the last part used. */
  #lately: readonly string[] | null = null
  readonly #names = new Map<string, string>()

  constructor(readonly templates: TemplateSet) {}

  readonly context: Pick<CompileContext, 'warn' | 'render'> = {
    warn: (code, record, text) => {
      this.#warnings ??= []
      this.#warnings.push({ code, record, text })
    },
    render: (template, view) => {
      this.#use(template)
      return this.templates.render(template, view)
    },
  }

  through(data: Reader): Reader {
    return new NotedReader(data, this)
  }

  memo<T>(reader: Reader, name: string, key: string, make: (data: Reader) => T): T {
    const part = reader.memo(this.#named(name), key, (inner) => this.#apart(inner, make))
    if (part.warnings) for (const { code, record, text } of part.warnings) this.context.warn(code, record, text)
    if (part.used) for (const template of part.used) this.#use(template)
    return part.value
  }

  /** Each warning once, in the order they came; templates sorted. */
  taken(): { warnings: readonly Warning[]; used: readonly string[] } {
    const distinct = new Map(this.#warnings?.map((warning) => [JSON.stringify(warning), warning]))
    return { warnings: [...distinct.values()], used: this.#used?.sort() ?? [] }
  }

  #use(template: string): void {
    this.#used ??= []
    if (!this.#used.includes(template)) this.#used.push(template)
  }

  /** Parts laid out with other templates have other names. */
  #named(name: string): string {
    let named = this.#names.get(name)
    if (named === undefined) {
      named = `${this.templates.generation} ${name}`
      this.#names.set(name, named)
    }
    return named
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

  #apart<T>(data: Reader, make: (data: Reader) => T): Noted & { readonly value: T } {
    const [warnings, used] = [this.#warnings, this.#used]
    this.#warnings = null
    this.#used = null
    try {
      const value = make(this.through(data))
      return { value, warnings: this.#warnings, used: this.#usedLately() }
    } finally {
      this.#warnings = warnings
      this.#used = used
    }
  }
}

/** A reader whose parts keep their notes. As many as parts, hence no closures. */
class NotedReader implements Reader {
  constructor(
    private readonly reader: Reader,
    private readonly notes: Notes,
  ) {}

  get<K extends KindName>(kind: K, id: number | null): Model[K] | undefined {
    return this.reader.get(kind, id)
  }

  by<K extends KindName>(kind: K, index: IndexName<K>, key: Key): readonly Model[K][] {
    return this.reader.by(kind, index, key)
  }

  ids<K extends KindName>(kind: K, index: IndexName<K>, key: Key): readonly number[] {
    return this.reader.ids(kind, index, key)
  }

  has<K extends KindName>(kind: K, index: IndexName<K>, key: Key): boolean {
    return this.reader.has(kind, index, key)
  }

  all<K extends KindName>(kind: K): readonly Model[K][] {
    return this.reader.all(kind)
  }

  memo<T>(name: string, key: string, make: (data: Reader) => T): T {
    return this.notes.memo(this.reader, name, key, make)
  }
}
