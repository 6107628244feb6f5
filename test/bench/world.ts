import { join } from 'node:path'
import { packageRoot } from '../../api/config/packageRoot.js'
import type { CompileBasis, CompileJob } from '../../compiler/core/compile.js'
import type { Scope } from '../../compiler/core/defineFile.js'
import { FragmentCache } from '../../compiler/core/keptFragments.js'
import type { Reader } from '../../compiler/core/reader.js'
import { recorder } from '../../compiler/core/readSet.js'
import type { TemplateSet } from '../../compiler/core/templates.js'
import { loadTemplates } from '../../compiler/core/templates.js'
import type { AnyRecord } from '../../compiler/data/kindSchema.js'
import { modelSchema } from '../../compiler/data/model.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'
import { catalogue } from '../../compiler/listing/configFiles.js'
import { listing } from '../../compiler/listing/listing.js'
import type { FleetOptions } from '../fleet.js'
import { fleetRecords } from '../fleet.js'
import { serviceUrl } from '../serviceUrl.js'

/** A fleet in a working set, with the templates of this checkout: what compiles without any service around it. */
export interface World {
  readonly workingSet: WorkingSet
  readonly templates: TemplateSet
  basis(fragments: FragmentCache): CompileBasis
  /** One change at the next revision. */
  change(kind: string, id: number, change: (before: Row) => object): { revision: number; changes: Change[] }
}

export type Row = AnyRecord & Readonly<Record<string, unknown>>
interface Change {
  readonly kind: string
  readonly id: number
  readonly after: AnyRecord
}

export function world(options: FleetOptions): World {
  const workingSet = new WorkingSet(modelSchema)
  const records = fleetRecords(options)
  workingSet.load(1, rowsOf(records))
  const { templates } = loadTemplates(join(packageRoot, 'templates'))
  return {
    workingSet,
    templates,
    basis: (fragments) => ({
      workingSet,
      templates,
      fragments,
      registry: catalogue,
      serviceUrl,
      unseal: (sealed) => sealed,
    }),
    change: (kind, id, change) => {
      const before = workingSet.get(kind, id) as Row
      const after = { ...before, ...change(before) }
      const entry = { revision: workingSet.revision + 1, changes: [{ kind, id, after }] }
      workingSet.apply(entry)
      return entry
    },
  }
}

function* rowsOf(records: ReturnType<typeof fleetRecords>) {
  for (const [kind, rows] of Object.entries(records)) {
    for (const record of rows) if (kind in modelSchema) yield { kind, record, revision: 1 }
  }
}

export interface CacheFiles {
  readonly serverId: number
  readonly jobs: readonly CompileJob[]
}

/** Which files each cache has, by its listing. */
export function filesOfCaches({ workingSet }: World, fragments = new FragmentCache()): CacheFiles[] {
  const { data } = recorder<Reader>(workingSet, { grain: 'seen', fragments })
  return data
    .all('servers')
    .filter(({ typeId }) => /^(EDGE|MID)/.test(data.get('types', typeId)?.name ?? ''))
    .map(({ id, profileId, cdnId }) => ({
      serverId: id,
      jobs: listing(data, id, '1.3', serviceUrl).configFiles.flatMap(
        ({ fnameOnDisk: file, scope = 'servers', url }) => {
          if (url !== undefined) return []
          const subjectId = scope === 'servers' ? id : scope === 'profiles' ? profileId : cdnId
          return [{ file, scope: scope as Scope, subjectId }]
        },
      ),
    }))
}

export const jobName = ({ scope, subjectId, file }: CompileJob): string => `${scope}/${subjectId}/${file}`

/** Every job once, though many caches share those of a profile or CDN. */
export const distinct = (caches: readonly CacheFiles[]): CompileJob[] => [
  ...new Map(caches.flatMap(({ jobs }) => jobs).map((job) => [jobName(job), job])).values(),
]
