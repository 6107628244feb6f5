import { type CompileBasis, compile } from '../../compiler/compile.js'
import { configFiles, unknownFile } from '../../compiler/files/index.js'
import { modelSchema, type Server } from '../../compiler/model.js'
import type { Reader } from '../../compiler/reader.js'
import { recorder } from '../../compiler/readSet.js'
import { createRegistry, scopeOf } from '../../compiler/registry.js'
import { loadTemplates } from '../../compiler/templates.js'
import { type AnyRecord, WorkingSet } from '../../compiler/workingSet.js'
import type { ListedFile } from './layOut.js'

const registry = createRegistry(configFiles, unknownFile)
const { templates } = loadTemplates(new URL('../../templates', import.meta.url).pathname)

/** Every file of a server as its listing names it, compiled from these records, in which nothing is sealed. */
export function compiledFiles(
  records: readonly { kind: string; record: AnyRecord; revision: number }[],
  serverId: number,
): ListedFile[] {
  const workingSet = new WorkingSet(modelSchema)
  workingSet.load(1, records)
  const basis: CompileBasis = { workingSet, registry, templates, unseal: (sealed) => sealed }
  const { data } = recorder<Reader>(basis.workingSet, { grain: 'seen', explain: false })
  const server = data.get('servers', serverId) as Server
  return data.by('parameters', 'profileName', `${server.profileId}/location`).flatMap(({ configFile, value }) => {
    const resolved = basis.registry.resolve(configFile)
    if (!resolved?.listed) {
      console.log('interim: no', configFile)
      return []
    }
    const scope = scopeOf(resolved, configFile, data.get('types', server.typeId)!.name, data)
    const subjectId = { servers: server.id, profiles: server.profileId, cdns: server.cdnId }[scope]
    const { text, warnings } = compile({ file: configFile, scope, subjectId }, basis)
    for (const w of warnings) console.log('warning', configFile, w)
    return [{ fnameOnDisk: configFile, location: value, text }]
  })
}
