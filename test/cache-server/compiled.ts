import { join } from 'node:path'
import { packageRoot } from '../../api/config/packageRoot.js'
import type { CompileBasis } from '../../compiler/core/compile.js'
import { compile } from '../../compiler/core/compile.js'
import type { Reader } from '../../compiler/core/reader.js'
import { recorder } from '../../compiler/core/readSet.js'
import { loadTemplates } from '../../compiler/core/templates.js'
import type { AnyRecord } from '../../compiler/data/kindSchema.js'
import { modelSchema } from '../../compiler/data/model.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'
import { catalogue } from '../../compiler/listing/configFiles.js'
import { listing } from '../../compiler/listing/listing.js'
import { serviceUrl } from '../serviceUrl.js'
import type { PlacedFile } from './layOut.js'

const { templates } = loadTemplates(join(packageRoot, 'templates'))

/** Records by kind, as a working set holds them. Nothing in them is sealed. */
export function loaded(records: Readonly<Record<string, readonly AnyRecord[]>>): WorkingSet {
  const workingSet = new WorkingSet(modelSchema)
  const rows = Object.entries(records).flatMap(([kind, list]) => list.map((record) => ({ kind, record, revision: 1 })))
  workingSet.load(1, rows)
  return workingSet
}

/** Every file of a server's listing, compiled as the cache agent would fetch it. */
export function compiledFiles(workingSet: WorkingSet, serverId: number): PlacedFile[] {
  const basis: CompileBasis = { workingSet, registry: catalogue, templates, serviceUrl, unseal: (sealed) => sealed }
  const { data } = recorder<Reader>(workingSet, { grain: 'seen', explain: false })
  const { info, configFiles } = listing(data, serverId, '1.3', serviceUrl)
  const subjects = { servers: info.serverId, profiles: info.profileId, cdns: info.cdnId }
  return configFiles.flatMap(({ fnameOnDisk, location, scope, apiUri }) => {
    if (apiUri === undefined || location === undefined) return []
    const listed = scope ?? 'servers'
    const { text } = compile({ file: fnameOnDisk, scope: listed, subjectId: subjects[listed] }, basis)
    return [{ fnameOnDisk, location, text }]
  })
}
