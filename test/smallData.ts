import { join } from 'node:path'
import { packageRoot } from '../api/config/packageRoot.js'
import { compile } from '../compiler/core/compile.js'
import { FragmentCache } from '../compiler/core/keptFragments.js'
import type { Reader } from '../compiler/core/reader.js'
import { recorder } from '../compiler/core/readSet.js'
import { loadTemplates } from '../compiler/core/templates.js'
import { unseal } from '../compiler/core/vault.js'
import { modelSchema } from '../compiler/data/model.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import { serviceUrl } from './serviceUrl.js'
import { completed, smallCdn, vaultKey } from './smallCdn.js'

/** A record to write, its missing fields completed, or the id of one to remove. */
export type Edit = readonly [kind: string, record: { readonly id: number; readonly [field: string]: unknown } | number]

/** The small CDN in a working set of its own, to edit and to ask. */
export function smallData(...edits: Edit[]) {
  const workingSet = new WorkingSet(modelSchema)
  const fragments = new FragmentCache()
  workingSet.load(
    1,
    smallCdn.map((one) => ({ ...one, revision: 1 })),
  )
  const edit = (...edits: Edit[]): void => {
    const changes = edits.map(([kind, record]) =>
      typeof record === 'number'
        ? { kind, id: record, after: null }
        : { kind, id: record.id, after: { ...completed(kind, record), ...workingSet.get(kind, record.id), ...record } },
    )
    workingSet.apply({ revision: workingSet.revision + 1, changes })
  }
  if (edits.length > 0) edit(...edits)
  return {
    workingSet,
    fragments,
    edit,
    reader: (): Reader => recorder<Reader>(workingSet, { grain: 'seen', fragments }).data,
    compile: (file: string, scope: 'servers' | 'profiles' | 'cdns', subjectId: number) =>
      compile({ file, scope, subjectId }, { workingSet, fragments, ...basis }),
  }
}

const { templates } = loadTemplates(join(packageRoot, 'templates'))
const basis = { registry: catalogue, templates, serviceUrl, unseal: (sealed: string) => unseal(vaultKey, sealed) }
