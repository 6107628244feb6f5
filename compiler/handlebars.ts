import Handlebars from 'handlebars'
import { templateCode } from './templateCode.js'

/** A template as JavaScript text, and the partials it names. Plain data: made once, run in every thread. */
export interface Precompiled {
  readonly code: string
  readonly partials: readonly string[]
}

/** Throws what is wrong with the template, with its line. */
export function precompile(source: string): Precompiled {
  const program = Handlebars.parse(source)
  const code = templateCode(program, Object.keys(helpers))
  evaluate(code, noPartials)
  return { code, partials: partialsOf(program) }
}

/** One function per template, each of them able to use the others as partials. */
export function link(codes: Iterable<readonly [name: string, code: string]>): Map<string, Program> {
  const programs = new Map<string, Program>()
  const include: Include = (name, view) => {
    const program = programs.get(name)
    if (!program) throw new Error(`there is no template ${name}.hbs`)
    return program(view)
  }
  for (const [name, code] of codes) programs.set(name, evaluate(code, include))
  return programs
}

type Program = (view: object) => string
type Include = (name: string, view: object) => string

/** The only helpers, besides `if`, `unless` and `each`. */
const helpers = {
  json: (value: unknown) => JSON.stringify(value),
  /** XML knows no escape for `--` within a comment. */
  xmlComment: (text: string) => text.replace(/-(?=-|$)/g, '- '),
}

/** What the code of a template calls. */
const runtime = {
  /** Values as they are: config files are not HTML. */
  print: (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : String(value)),
  /** A name the view lacks is an error, not an empty string. */
  absent: (view: unknown, name: string) => runtime.print(runtime.present(view, name)),
  present: (view: unknown, name: string) => {
    if (view === null || view === undefined || !(name in Object(view))) throw new Error(`"${name}" not defined`)
    return (view as Record<string, unknown>)[name]
  },
  /** As Handlebars has it: an empty list is false, too. */
  isTrue: (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value)),
  listOf: (items: unknown) => {
    if (!Array.isArray(items)) throw new Error(`#each needs a list, not ${typeof items}`)
    return items as unknown[]
  },
}

const noPartials: Include = () => ''

/** A fault in the code shows here, when the template is read. */
function evaluate(code: string, include: Include): Program {
  const known = { ...runtime, helpers, include }
  return new Function(...Object.keys(known), `"use strict"; return ${code}`)(...Object.values(known))
}

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
