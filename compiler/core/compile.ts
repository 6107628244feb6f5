import type { WorkingSet } from '../data/workingSet.js'
import type { CompileContext, Scope, Subjects } from './defineFile.js'
import { FileMissing } from './defineFile.js'
import type { Header } from './header.js'
import type { FragmentCache } from './keptFragments.js'
import type { Reader } from './reader.js'
import type { Question } from './readSet.js'
import { recorder } from './readSet.js'
import type { Registry } from './registry.js'
import type { TemplateSet } from './templates.js'
import type { Warning } from './warnings.js'

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
  readonly fragments?: FragmentCache
  /** Where the service is found where no parameter says so. */
  readonly serviceUrl: string
  unseal(sealed: string): string
}

export interface Compiled {
  readonly text: string
  readonly contentType: string
  readonly warnings: readonly Warning[]
  /** The dependency keys that were read, sorted: the text is valid until one of them moves. */
  readonly readSet: Uint32Array
  /** The templates it was laid out with, sorted: the text is valid until their fingerprint changes. */
  readonly templates: readonly string[]
  /** Every question the view asked, when the compile was to explain itself; otherwise empty. */
  readonly questions: readonly Question[]
}

/** Which file of whom could not be compiled, and why. */
export interface CompileFault extends CompileJob {
  /** The subject's name; where only its id is known, its scope and that. */
  readonly subject: string
  /** What went wrong; it may quote templates and records, so it is for those who run the service. */
  readonly reason: string
}

/** What everybody may be told of it. */
export const summaryOf = ({ file, subject }: CompileFault): string => `${file} for ${subject} could not be compiled`

/** A view or template failed: a mistake in the program or a template, never the caller's. */
export class CompileFailed extends Error {
  override name = 'CompileFailed'

  constructor(
    readonly fault: CompileFault,
    options?: ErrorOptions,
  ) {
    super(`${summaryOf(fault)}: ${fault.reason}`, options)
  }
}

/**
 * Compiles one file from the working set as it is now. A pure function of the records it reads and the templates.
 *
 * Throws FileMissing when the subject or the file does not exist, CompileFailed for everything else.
 */
export function compile(
  job: CompileJob,
  { workingSet, registry, templates, fragments, serviceUrl, unseal }: CompileBasis,
  { explain = false }: { explain?: boolean } = {},
): Compiled {
  const { file, scope, subjectId } = job
  const { data, dependencies, questions, notes } = recorder<Reader>(workingSet, {
    grain: 'seen',
    explain,
    fragments: explain ? undefined : fragments,
    tools: { templates, unseal },
  })
  const subject = data.get(scope, subjectId)
  const resolved = subject && registry.resolve(file)
  const view = resolved?.definition.views[scope] as ((context: CompileContext) => object) | undefined
  if (!subject || !resolved || !view) throw new FileMissing(`${file} does not exist for ${scope} ${subjectId}.`)
  const { definition, parts } = resolved
  const { warn, render } = notes
  const context: CompileContext = { data, subject, file, parts, serviceUrl, unseal, warn, render }
  try {
    const shown = view(context)
    const text = render(
      definition.template,
      withHeader(shown, () => registry.headerOf(scope, context)),
    )
    return {
      text,
      contentType: definition.contentType,
      ...notes.taken(),
      readSet: dependencies(),
      questions: questions(),
    }
  } catch (error) {
    if (error instanceof FileMissing) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CompileFailed({ file, scope, subjectId, subject: nameOf(subject), reason }, { cause: error })
  }
}

export const nameOf = (subject: Subjects[Scope]): string => ('hostName' in subject ? subject.hostName : subject.name)

/** The header is only read, and only counts as read, when the template has one. */
function withHeader(view: object, headerOf: () => Header): object {
  let header: Header | undefined
  return {
    ...view,
    get header() {
      header ??= headerOf()
      return header
    },
  }
}
