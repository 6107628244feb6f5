import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'

/** All templates of one moment. An edit makes a new set of the next generation; a set never changes. */
export interface TemplateSet {
  readonly generation: number
  /** Name (file name without `.hbs`) -> text. */
  readonly sources: ReadonlyMap<string, string>
  /** Lays out `view`. Throws when the template does not exist or names something the view does not have. */
  render(name: string, view: object): string
  /** Changes when the text of one of these templates, or of a partial they use, does. */
  fingerprint(names: Iterable<string>): string
}

export interface BrokenTemplate {
  readonly name: string
  readonly message: string
}

/**
 * Reads `*.hbs` of a folder. A template that does not compile, or is gone, is reported; its last good text in
 * `previous` stays in use. Gives `previous` itself when no text in use differs.
 */
export function loadTemplates(
  folder: string,
  previous?: TemplateSet,
): { templates: TemplateSet; broken: readonly BrokenTemplate[] } {
  const found = new Map<string, string>()
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith('.hbs')) found.set(file.slice(0, -'.hbs'.length), readFileSync(join(folder, file), 'utf8'))
  }
  const broken: BrokenTemplate[] = []
  const names = new Set([...found.keys(), ...(previous?.sources.keys() ?? [])])
  const sources = new Map<string, string>()
  for (const name of [...names].sort()) {
    const source = found.get(name)
    const message = source === undefined ? 'the file is gone' : faultOf(source, names)
    if (message !== null) broken.push({ name, message })
    const good = message === null ? source : previous?.sources.get(name)
    if (good !== undefined) sources.set(name, good)
  }
  if (previous && sameTexts(previous.sources, sources)) return { templates: previous, broken }
  return { templates: templateSet(sources, (previous?.generation ?? 0) + 1), broken }
}

/** The set of these texts; every one must compile. */
export function templateSet(sources: ReadonlyMap<string, string>, generation: number): TemplateSet {
  const handlebars = environment()
  const templates = new Map<string, SetUpTemplate>()
  for (const [name, source] of sources) {
    const template = handlebars.template(evaluate(handlebars.precompile(source, options))) as SetUpTemplate
    templates.set(name, template)
    handlebars.registerPartial(name, template)
  }
  const programs = new Map([...templates].map(([name, template]) => [name, programOf(template)]))
  const versions = new Map<string, string>()
  const versionOf = (name: string): string => {
    let version = versions.get(name)
    if (version === undefined) {
      version = digest([name, ...[...reach(name, sources)].map((used) => sources.get(used) ?? '')])
      versions.set(name, version)
    }
    return version
  }
  return Object.freeze({
    generation,
    sources,
    render: (name, view) => {
      const program = programs.get(name)
      if (!program) throw new Error(`there is no template ${name}.hbs`)
      return String(program(view))
    },
    fingerprint: (names) => digest([...names].map(versionOf)),
  } satisfies TemplateSet)
}

/**
 * `strict`: a name the view lacks is an error, not an empty string. `noEscape`: config files are not HTML.
 * `data: false`: no @index and the like, which also makes loops cheaper. Only the helpers below exist.
 */
const options: PrecompileOptions = {
  strict: true,
  noEscape: true,
  data: false,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { json: true, xmlComment: true },
}

function environment(): typeof Handlebars {
  const handlebars = Handlebars.create()
  Object.assign(handlebars, { JavaScriptCompiler: TextCompiler })
  handlebars.registerHelper('each', each)
  handlebars.registerHelper('json', (value: unknown) => JSON.stringify(value))
  /** XML knows no escape for `--` within a comment. */
  handlebars.registerHelper('xmlComment', (text: string) => text.replace(/-(?=-|$)/g, '- '))
  return handlebars
}

/**
 * In place of Handlebars' own, which takes anything for a list, also what the view forgot, and makes closures for each
 * call, a sixth of all memory a large remap.config takes to compile.
 */
function each(this: unknown, items: unknown, { fn, inverse }: Handlebars.HelperOptions): string {
  if (!Array.isArray(items)) throw new Error(`#each needs a list, not ${typeof items}`)
  if (items.length === 0) return inverse(this)
  let text = ''
  for (const item of items) text += fn(item)
  return text
}

/** What Handlebars itself calls to lay out one part of a template inside another. */
interface SetUpTemplate extends Handlebars.TemplateDelegate {
  _setup(options: Handlebars.RuntimeOptions): void
  _child(part: string, data: undefined, blockParams: [], depths: []): (view: object) => unknown
}

/**
 * Calling a template gathers helpers and access rules anew each time, which for a line of remap.config takes twice as
 * long as the line (1.6 µs instead of 0.5). They are the same for a whole set, so they are gathered once.
 */
function programOf(template: SetUpTemplate): (view: object) => unknown {
  template._setup({})
  return template._child('main', undefined, [], [])
}

type AppendToBuffer = (source: unknown, location?: unknown, explicit?: boolean) => unknown
const { JavaScriptCompiler } = Handlebars as unknown as {
  JavaScriptCompiler: new () => { compiler: unknown; appendToBuffer: AppendToBuffer }
}

/**
 * Without escaping, Handlebars joins what a template prints with a bare `+`, so that two numbers side by side would
 * be added up. Here everything is text before it is joined.
 */
class TextCompiler extends JavaScriptCompiler {
  override compiler = TextCompiler
  override appendToBuffer: AppendToBuffer = (source, location, explicit) =>
    super.appendToBuffer(['("" + (', source, '))'], location, explicit)
}

/** `precompile` gives JavaScript text; unlike `compile` it does the work now, so faults show at load. */
function evaluate(code: TemplateSpecification): TemplateSpecification {
  return new Function(`return ${code}`)()
}

function faultOf(source: string, names: ReadonlySet<string>): string | null {
  try {
    const missing = partialsOf(source).filter((name) => !names.has(name))
    if (missing.length > 0) return `there is no partial ${missing.join(', ')}`
    evaluate(environment().precompile(source, options))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function partialsOf(source: string): string[] {
  const names: string[] = []
  class Partials extends Handlebars.Visitor {
    override PartialStatement(partial: hbs.AST.PartialStatement): void {
      if (!('original' in partial.name)) throw new Error('a partial must be named, not computed')
      names.push(String(partial.name.original))
    }
  }
  new Partials().accept(Handlebars.parse(source))
  return names
}

/** A template and all partials it uses, directly or not, in a stable order. */
function reach(name: string, sources: ReadonlyMap<string, string>, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const partial of partialsOf(sources.get(name) ?? '')) reach(partial, sources, seen)
  return seen
}

function sameTexts(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text)
}

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)
