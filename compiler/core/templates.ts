import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Precompiled } from './handlebars.js'
import { link, precompile } from './handlebars.js'

/** All templates of one moment. An edit makes a new set of the next generation; a set never changes. */
export interface TemplateSet {
  readonly generation: number
  /** By name, which is the file name without `.hbs`. */
  readonly templates: ReadonlyMap<string, Template>
  /** Lays out `view`. Throws when the template does not exist or names something the view does not have. */
  render(name: string, view: object): string
  /** Changes when the text of one of these templates, or of a partial they use, does. */
  fingerprint(names: Iterable<string>): string
}

/** Plain data, so that other threads get it without compiling it again. */
export interface Template extends Precompiled {
  readonly source: string
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
  const found = readdirSync(folder).flatMap((file) => /^(.+)\.hbs$/.exec(file)?.[1] ?? [])
  const names = new Set([...found, ...(previous?.templates.keys() ?? [])])
  const broken: BrokenTemplate[] = []
  const used = new Map<string, Template>()
  for (const name of [...names].sort()) {
    const last = previous?.templates.get(name)
    try {
      used.set(name, read(join(folder, `${name}.hbs`), names, last))
    } catch (error) {
      broken.push({ name, message: error instanceof Error ? error.message : String(error) })
      if (last) used.set(name, last)
    }
  }
  if (previous && isSame(previous.templates, used)) return { templates: previous, broken }
  return { templates: templateSet(used, (previous?.generation ?? 0) + 1), broken }
}

/** The set of these texts. Throws when one of them does not compile. */
export function compileTemplates(sources: Readonly<Record<string, string>>, generation = 1): TemplateSet {
  const compiled = Object.entries(sources).map(([name, source]) => [name, precompiled(source)] as const)
  return templateSet(new Map(compiled), generation)
}

export function templateSet(templates: ReadonlyMap<string, Template>, generation: number): TemplateSet {
  const programs = link([...templates].map(([name, { code }]) => [name, code]))
  const versions = new Map<string, string>()
  const versionOf = (name: string): string => {
    let version = versions.get(name)
    if (version === undefined) {
      version = digest([...reach(name, templates)].map((one) => templates.get(one)?.source ?? ''))
      versions.set(name, version)
    }
    return version
  }
  const fingerprints = new Map<string, string>()
  return Object.freeze({
    generation,
    templates,
    render: (name, view) => {
      const program = programs.get(name)
      if (!program) throw new Error(`there is no template ${name}.hbs`)
      return program(view)
    },
    fingerprint: (names) => {
      const list = [...names]
      const key = list.join()
      const known = fingerprints.get(key)
      if (known !== undefined) return known
      const fingerprint = digest(list.map(versionOf))
      fingerprints.set(key, fingerprint)
      return fingerprint
    },
  } satisfies TemplateSet)
}

function read(path: string, names: ReadonlySet<string>, last: Template | undefined): Template {
  if (!existsSync(path)) throw new Error('the file is gone')
  const source = readFileSync(path, 'utf8')
  const template = last?.source === source ? last : precompiled(source)
  const missing = template.partials.filter((name) => !names.has(name))
  if (missing.length > 0) throw new Error(`there is no partial ${missing.join(', ')}`)
  return template
}

/** What was compiled last of each text: many sets of one process (tests, a second reading) hold the same texts. */
const known = new Map<string, Template>()
const mostKnown = 1000

function precompiled(source: string): Template {
  const before = known.get(source)
  if (before) return before
  const template = { source, ...precompile(source) }
  if (known.size === mostKnown) known.clear()
  known.set(source, template)
  return template
}

/** A template and all partials it uses, directly or not, in a stable order. */
function reach(name: string, templates: ReadonlyMap<string, Template>, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const partial of templates.get(name)?.partials ?? []) reach(partial, templates, seen)
  return seen
}

function isSame(a: ReadonlyMap<string, Template>, b: ReadonlyMap<string, Template>): boolean {
  return a.size === b.size && [...a].every(([name, { source }]) => b.get(name)?.source === source)
}

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22)
