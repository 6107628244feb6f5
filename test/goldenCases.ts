import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../api/config/packageRoot.js'
import type { CompileBasis, CompileJob } from '../compiler/core/compile.js'
import { compile } from '../compiler/core/compile.js'
import type { Scope } from '../compiler/core/defineFile.js'
import { FileMissing } from '../compiler/core/defineFile.js'
import type { Reader } from '../compiler/core/reader.js'
import { recorder } from '../compiler/core/readSet.js'
import { scopeOf } from '../compiler/core/registry.js'
import type { TemplateSet } from '../compiler/core/templates.js'
import { loadTemplates } from '../compiler/core/templates.js'
import { seal, unseal } from '../compiler/core/vault.js'
import type { Warning } from '../compiler/core/warnings.js'
import type { AnyRecord } from '../compiler/data/kindSchema.js'
import { modelSchema } from '../compiler/data/model.js'
import type { AppliedChange } from '../compiler/data/workingSet.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import { serviceUrl } from './serviceUrl.js'
import { completed, smallCdn, vaultKey } from './smallCdn.js'

/**
 * A golden case is `samples/<file>/<case>.txt`, the whole expected text, for the small CDN and the scope's default
 * subject: its first edge, that edge's profile, that edge's CDN. A `.json` beside it tells what differs.
 */
export interface GoldenCase {
  readonly file: string
  readonly name: string
  /** Paths without the ending; the text is there unless the file is expected to be missing. */
  readonly path: string
  readonly about: About
}

export interface About {
  readonly description?: string
  readonly scope?: Scope
  /** Profile name, CDN name, or a host name: that server, its profile or its CDN. */
  readonly subject?: string
  readonly changes?: readonly (
    | { readonly kind: string; readonly record: AnyRecord }
    | { readonly kind: string; readonly id: number; readonly remove: true }
  )[]
  /** The code of every warning, in any order. */
  readonly warnings?: readonly string[]
  /** What the 404 says, for a file that must not exist. */
  readonly missing?: string
}

/** What came of a case, comparable as a whole. */
export type Result = { readonly text: string; readonly warnings: readonly string[] } | { readonly missing: string }

export function goldenCases(only?: string): GoldenCase[] {
  return sampleFolders(samples)
    .map((folder) => folder.slice(samples.length + 1))
    .filter((file) => only === undefined || file === only)
    .flatMap((file) => {
      const names = readdirSync(`${samples}/${file}`).flatMap((name) => /^(.*)\.(?:txt|json)$/.exec(name)?.[1] ?? [])
      return [...new Set(names)].sort().map((name) => goldenCase(file, name))
    })
}

export function goldenCase(file: string, name: string): GoldenCase {
  const path = `${samples}/${file}/${name}`
  const about: About = existsSync(`${path}.json`) ? JSON.parse(readFileSync(`${path}.json`, 'utf8')) : {}
  return { file, name, path, about }
}

export function expected({ path, about }: GoldenCase): Result {
  if (about.missing !== undefined) return { missing: about.missing }
  return { text: readFileSync(`${path}.txt`, 'utf8'), warnings: [...(about.warnings ?? [])].sort() }
}

/** The small CDN with the case's changes; a seed loads the records in another order. */
export function dataOf({ about }: GoldenCase, seed?: number): WorkingSet {
  const workingSet = new WorkingSet(modelSchema)
  const records = new Map<string, { kind: string; record: AnyRecord }>()
  for (const one of smallCdn) records.set(`${one.kind}/${one.record.id}`, one)
  for (const { kind, id, after } of changesOf(about)) {
    if (after) records.set(`${kind}/${id}`, { kind, record: after })
    else records.delete(`${kind}/${id}`)
  }
  const ordered = seed === undefined ? [...records.values()] : shuffled([...records.values()], seed)
  workingSet.load(
    1,
    ordered.map((one) => ({ ...one, revision: 1 })),
  )
  return workingSet
}

export function changesOf({ changes = [] }: About): AppliedChange[] {
  return changes.map((change) =>
    'remove' in change
      ? { kind: change.kind, id: change.id, after: null }
      : {
          kind: change.kind,
          id: change.record.id,
          after: asStored(change.kind, completed(change.kind, change.record)),
        },
  )
}

export function jobOf({ file, about }: GoldenCase, workingSet: WorkingSet): CompileJob {
  const data = recorder<Reader>(workingSet, { grain: 'seen' }).data
  const resolved = catalogue.resolve(file)
  if (!resolved) throw new Error(`nothing answers for ${file}`)
  const edgeType = data.by('types', 'name', 'EDGE')[0]?.id ?? 0
  const named = about.subject === undefined ? undefined : data.by('servers', 'hostName', about.subject)[0]
  const server = named ?? data.by('servers', 'typeId', edgeType)[0]
  if (!server) throw new Error('the small CDN has no edge')
  const scope = about.scope ?? scopeOf(resolved, file, data.get('types', server.typeId)?.name ?? '', data)
  if (about.subject === undefined || named) {
    const subjectId = { servers: server.id, profiles: server.profileId, cdns: server.cdnId }[scope]
    return { file, scope, subjectId }
  }
  const subject = scope === 'servers' ? undefined : data.by(scope, 'name', about.subject)[0]
  if (!subject) throw new Error(`the small CDN has no ${about.subject} among its ${scope}`)
  return { file, scope, subjectId: subject.id }
}

export const codesOf = (warnings: readonly Warning[]): string[] => warnings.map(({ code }) => code).sort()

export function directly(
  job: CompileJob,
  workingSet: WorkingSet,
  { fragments, templates = basis.templates }: { fragments?: CompileBasis['fragments']; templates?: TemplateSet } = {},
): Result {
  try {
    const { text, warnings } = compile(job, { ...basis, templates, workingSet, ...(fragments ? { fragments } : {}) })
    return { text, warnings: codesOf(warnings) }
  } catch (error) {
    if (error instanceof FileMissing) return { missing: error.message }
    throw error
  }
}

const samples = join(packageRoot, 'test/samples')
export const { templates, broken } = loadTemplates(join(packageRoot, 'templates'))
const basis = { registry: catalogue, templates, serviceUrl, unseal: (sealed: string) => unseal(vaultKey, sealed) }

/** Key documents are in the clear in a case's changes, and sealed as the store would have them. */
function asStored(kind: string, record: AnyRecord): AnyRecord {
  if (kind !== 'urlSigKeys' && kind !== 'uriSigningKeys') return record
  const { sealed } = record as AnyRecord & { sealed: string }
  return { ...record, sealed: seal(vaultKey, sealed, new Uint8Array(12)) } as AnyRecord
}

/** Folders that hold cases; a snapshot's lies in a folder of its own, as in its name. */
function sampleFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const here = entries.some((entry) => entry.isFile()) ? [folder] : []
  return [
    ...here,
    ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => sampleFolders(`${folder}/${name}`)),
  ]
}

/** Fisher-Yates with a linear congruential generator: the same seed gives the same order everywhere. */
function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed
  for (let i = items.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const j = state % (i + 1)
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}
