import { asReader } from '../api/data.js'
import type { Services } from '../api/services.js'
import { sha256 } from '../compiler/body.js'
import type { CompileJob } from '../compiler/compile.js'
import { compile } from '../compiler/compile.js'
import { FileMissing, type Scope } from '../compiler/define.js'
import { listing } from '../compiler/listing.js'

/** Every file that any cache's listing names, each once. */
export function fleetJobs({ data }: Services): CompileJob[] {
  const jobs = new Map<string, CompileJob>()
  for (const server of data.all('servers')) {
    if (!/^(EDGE|MID)/.test(data.get('types', server.typeId)?.name ?? '')) continue
    for (const { fnameOnDisk: file, scope = 'servers', url } of listing(asReader(data), server.id, '1.3').configFiles) {
      if (url !== undefined) continue
      const subjectId = scope === 'servers' ? server.id : scope === 'profiles' ? server.profileId : server.cdnId
      jobs.set(`${scope}/${subjectId}/${file}`, { file, scope: scope as Scope, subjectId })
    }
  }
  return [...jobs.values()]
}

/** The hash of the file compiled now, from scratch, in this thread; why there is none, when there is none. */
export function freshHash(job: CompileJob, services: Services): string {
  const { memos: _, ...basis } = services.compileBasis()
  try {
    return sha256(Buffer.from(compile(job, basis).text))
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    throw error
  }
}

/** The hash of the file as the service would send it, from its cache or its threads. */
export async function servedHash(job: CompileJob, { artifacts }: Services): Promise<string> {
  try {
    const artifact = await artifacts.get(job)
    const bytes = artifacts.bytes(artifact)
    if (bytes && sha256(bytes) !== artifact.etag) throw new Error(`${job.file}: the bytes do not match their tag`)
    return artifact.etag
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    throw error
  }
}
