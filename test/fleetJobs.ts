import type { Parts } from '../api/operations/parts.js'
import { asReader } from '../api/schema/data.js'
import type { CompileJob } from '../compiler/core/compile.js'
import { compile } from '../compiler/core/compile.js'
import type { Scope } from '../compiler/core/defineFile.js'
import { FileMissing } from '../compiler/core/defineFile.js'
import { sha256 } from '../compiler/core/fileBody.js'
import type { Warning } from '../compiler/core/warnings.js'
import { catalogue, snapshotJob } from '../compiler/listing/configFiles.js'
import { listing } from '../compiler/listing/listing.js'
import { snapshots } from '../compiler/snapshots/index.js'
import { serviceUrl } from './serviceUrl.js'

/** Every file that any cache's listing names, each once. */
export function fleetJobs({ data }: Parts): CompileJob[] {
  const jobs = new Map<string, CompileJob>()
  for (const server of data.all('servers')) {
    if (!/^(EDGE|MID)/.test(data.get('types', server.typeId)?.name ?? '')) continue
    for (const { fnameOnDisk: file, scope = 'servers', url } of listing(asReader(data), server.id, '1.3', serviceUrl)
      .configFiles) {
      if (url !== undefined) continue
      const subjectId = scope === 'servers' ? server.id : scope === 'profiles' ? server.profileId : server.cdnId
      jobs.set(`${scope}/${subjectId}/${file}`, { file, scope: scope as Scope, subjectId })
    }
  }
  return [...jobs.values()]
}

/** Every document that monitors and routers may get, of every CDN. */
export const documentJobs = ({ data }: Parts): CompileJob[] =>
  data.all('cdns').flatMap(({ id }) => snapshots.map(({ name }) => snapshotJob(name, id)))

/** The hash of the file and what it warns of, compiled now, from scratch, in this thread; why there is none, when there is none. */
export function freshHash(job: CompileJob, services: Parts): string {
  const { fragments: _, ...basis } = services.compileBasis()
  try {
    const { text, warnings } = compile(job, { ...basis, registry: catalogue })
    return said(sha256(Buffer.from(text)), warnings)
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    throw error
  }
}

/** The same as the service would send it, from its cache or its threads. */
export async function servedHash(job: CompileJob, { artifacts }: Parts): Promise<string> {
  try {
    const artifact = await artifacts.get(job)
    const bytes = artifacts.bytes(artifact)
    if (bytes && sha256(bytes) !== artifact.etag) throw new Error(`${job.file}: the bytes do not match their tag`)
    return said(artifact.etag, artifact.warnings)
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    throw error
  }
}

const said = (etag: string, warnings: readonly Warning[]): string =>
  [etag, ...warnings.map(({ record, text }) => `${record.kind} ${record.id}: ${text}`).sort()].join('\n')
