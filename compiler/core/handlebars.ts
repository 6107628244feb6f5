import Handlebars from 'handlebars'

/** A template as JavaScript text, and the partials it names. Plain data: made once, run in every thread. */
export interface Precompiled {
  readonly code: string
  readonly partials: readonly string[]
}

/** Throws what is wrong with the template, with its line. */
export function precompile(source: string): Precompiled {
  const program = Handlebars.parse(source)
  const partials = partialsOf(program)
  const code = String(compiler().precompile(program, options))
  evaluate(code)
  return { code, partials }
}

/** One function per template, each of them able to use the others as partials. */
export function link(codes: Iterable<readonly [name: string, code: string]>): Map<string, (view: object) => string> {
  const handlebars = Handlebars.create()
  handlebars.registerHelper('each', each)
  handlebars.registerHelper('json', (value: unknown) => JSON.stringify(value))
  handlebars.registerHelper('xmlComment', xmlComment)
  const templates = [...codes].map(([name, code]) => {
    const template = handlebars.template(evaluate(code)) as SetUpTemplate
    handlebars.registerPartial(name, template)
    return [name, template] as const
  })
  return new Map(templates.map(([name, template]) => [name, programOf(template)]))
}

/**
 * `strict`: a name the view lacks is an error, not an empty string. `noEscape`: config files are not HTML.
 * `data: false`: no @index and the like, which also makes loops cheaper. Only the helpers above exist.
 */
const options: PrecompileOptions = {
  strict: true,
  noEscape: true,
  data: false,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { json: true, xmlComment: true },
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

/** XML knows no escape for `--` within a comment. */
const xmlComment = (text: string): string => text.replace(/-(?=-|$)/g, '- ')

/** What Handlebars itself calls to lay out one part of a template inside another. */
interface SetUpTemplate extends Handlebars.TemplateDelegate {
  _setup(options: Handlebars.RuntimeOptions): void
  _child(part: string, data: undefined, blockParams: [], depths: []): (view: object) => string
}

/**
 * Calling a template gathers helpers and access rules anew each time, which for a line of remap.config takes twice as
 * long as the line (1.6 µs instead of 0.5). They are the same for a whole set, so they are gathered once.
 */
function programOf(template: SetUpTemplate): (view: object) => string {
  template._setup({})
  return template._child('main', undefined, [], [])
}

type AppendToBuffer = (source: unknown, location?: unknown, explicit?: boolean) => unknown
// Handlebars does not declare its compiler, which is there to be extended.
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

const compiler = (): typeof Handlebars =>
  Object.assign(Handlebars.create(), { JavaScriptCompiler: TextCompiler as unknown })

/** `precompile` gives JavaScript text; unlike `compile` it does the work now, so faults show at load. */
const evaluate = (code: string): TemplateSpecification => new Function(`return ${code}`)()

function partialsOf(program: hbs.AST.Program): string[] {
  const names: string[] = []
  class Partials extends Handlebars.Visitor {
    override PartialStatement(partial: hbs.AST.PartialStatement): void {
      if (!('original' in partial.name)) throw new Error('a partial must be named, not computed')
      names.push(String(partial.name.original))
    }
  }
  new Partials().accept(program)
  return names
}
