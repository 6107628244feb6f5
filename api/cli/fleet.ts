import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompileJob } from '../../compiler/core/compile.js'
import { CompileFailed } from '../../compiler/core/compile.js'
import type { Scope } from '../../compiler/core/defineFile.js'
import { join as joinBody } from '../../compiler/core/fileBody.js'
import type { Reader } from '../../compiler/core/reader.js'
import { recorder } from '../../compiler/core/readSet.js'
import type { Warning } from '../../compiler/core/warnings.js'
import { listing } from '../../compiler/listing/listing.js'
import type { Service } from '../server.js'
import { CommandFailed } from './failed.js'
import { progressBar } from './progress.js'

export interface FleetResult {
  readonly caches: number
  /** Files written. */
  readonly files: number
  /** Files compiled: those of a profile or CDN once for all its caches. */
  readonly compiled: number
  readonly bytes: number
  readonly milliseconds: number
  readonly threadMilliseconds: number
  readonly warnings: readonly Warning[]
  readonly failures: readonly string[]
}

interface Place {
  readonly folder: string
  readonly file: string
}

/** Compiles every listed file of the caches of one CDN, or of all, and writes them as `<out>/<cache>/<file>`. */
export async function compileFleet(
  service: Service,
  { out, cdnId, server }: { out: string; cdnId?: number; server?: string },
): Promise<FleetResult> {
  const { services } = service
  const { data, artifacts } = services
  const start = performance.now()
  const caches = data.all('servers').filter((one) => {
    const type = data.get('types', one.typeId)?.name ?? ''
    return (
      /^(EDGE|MID)/.test(type) &&
      (cdnId === undefined || one.cdnId === cdnId) &&
      (server === undefined || one.hostName === server)
    )
  })
  const hosts = new Map<string, number>()
  for (const { hostName } of caches) hosts.set(hostName, (hosts.get(hostName) ?? 0) + 1)
  // Host names may repeat; no host name has an @ in it.
  const folderOf = ({ hostName, id }: { hostName: string; id: number }) =>
    safeName(hostName) + (hosts.get(hostName) === 1 ? '' : `@${id}`)
  const { fragments, ...tools } = services.compileBasis()
  const { data: reader } = recorder<Reader>(services.workingSet, { grain: 'seen', fragments, tools })
  const wanted = new Map<string, { job: CompileJob; places: Place[] }>()
  for (const cache of caches) {
    const { configFiles } = listing(reader, cache.id, '1.3', tools.serviceUrl)
    const base = configFiles.find(({ fnameOnDisk }) => fnameOnDisk === 'remap.config')?.location ?? ''
    for (const { fnameOnDisk, location = '', scope = 'servers', url } of configFiles) {
      if (url !== undefined) continue
      const subjectId = scope === 'servers' ? cache.id : scope === 'profiles' ? cache.profileId : cache.cdnId
      const key = `${scope}/${subjectId}/${fnameOnDisk}`
      const known = wanted.get(key) ?? { job: { file: fnameOnDisk, scope: scope as Scope, subjectId }, places: [] }
      known.places.push({
        folder: join(out, folderOf(cache), ...below(base, location)),
        file: safeName(fnameOnDisk),
      })
      wanted.set(key, known)
    }
  }
  for (const folder of new Set([...wanted.values()].flatMap(({ places }) => places.map((place) => place.folder))))
    makeFolder(folder)

  const bar = progressBar('compiling')
  const counts = { compiled: 0, files: 0, bytes: 0, threadMilliseconds: 0 }
  const warnings = new Map<string, Warning>()
  const failures: string[] = []
  const byJob = new Map([...wanted.values()].map((one) => [one.job, one]))
  await service.compileMany([...byJob.keys()], (job, outcome) => {
    counts.compiled += 1
    bar.to(counts.compiled, byJob.size)
    if (outcome.state !== 'compiled') {
      failures.push(outcome.state === 'missing' ? outcome.text : new CompileFailed(outcome.fault).message)
      return
    }
    artifacts.keep(job, outcome)
    counts.threadMilliseconds += outcome.milliseconds
    for (const warning of outcome.warnings) warnings.set(JSON.stringify(warning), warning)
    const bytes = joinBody(outcome.body)
    for (const { folder, file } of byJob.get(job)!.places) {
      writeFileSync(join(folder, file), bytes)
      counts.files += 1
      counts.bytes += bytes.length
    }
  })
  bar.end()
  return {
    caches: caches.length,
    ...counts,
    milliseconds: performance.now() - start,
    warnings: [...warnings.values()],
    failures,
  }
}

export function sayFleet(result: FleetResult, out: string): void {
  const { caches, files, compiled, bytes, milliseconds, threadMilliseconds, warnings, failures } = result
  const lines = [
    `${caches} caches, ${files} files (${compiled} compiled, the others shared), ${(bytes / 2 ** 20).toFixed(1)} MiB in ${out}`,
    `${(milliseconds / 1000).toFixed(2)} s, of which ${(threadMilliseconds / 1000).toFixed(2)} s in compiling threads`,
    warnings.length === 0 ? 'no warnings' : `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}:`,
    ...warnings.map(({ code, record, text }) => `  ${code}  ${record.kind} ${record.name} (${record.id}): ${text}`),
    ...failures.map((text) => `  FAILED  ${text}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** remap.config names files by their place below its own (`dscp/set_dscp_8.config`); others lie beside it. */
function below(base: string, location: string): string[] {
  const inside = base !== '' && location.startsWith(`${base.replace(/\/$/, '')}/`)
  return inside ? location.slice(base.length).split('/').filter(Boolean).map(safeName) : []
}

/** A path is never made of more than one segment, and no two names make the same one. */
function safeName(name: string): string {
  const escaped = (character: string) => [...Buffer.from(character)].map((byte) => `%${byte.toString(16)}`).join('')
  return /^\.{1,2}$/.test(name) ? name.replaceAll('.', escaped) : name.replace(/[^A-Za-z0-9._-]/gu, escaped)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new CommandFailed(`the folder ${folder} cannot be made: ${(error as Error).message}`)
  }
}
