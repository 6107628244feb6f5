import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompileJob } from '../../compiler/core/compile.js'
import type { Scope } from '../../compiler/core/defineFile.js'
import type { Warning } from '../../compiler/core/warnings.js'
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

/** Where the files of a fleet come from: a service within the process, or one that runs somewhere. */
export interface FleetSource {
  readonly caches: readonly FleetCache[]
  listing(cache: FleetCache): Promise<readonly ListedFile[]>
  /** Compiles each, and tells of each as it is done, in any order. */
  compile(
    jobs: readonly CompileJob[],
    done: (job: CompileJob, made: MadeFile | { fault: string }) => void,
  ): Promise<void>
}

export interface FleetCache {
  readonly id: number
  readonly hostName: string
  readonly profileId: number
  readonly cdnId: number
}

export interface ListedFile {
  readonly fnameOnDisk: string
  readonly location?: string
  readonly scope?: string
  readonly url?: string
}

export interface MadeFile {
  readonly bytes: Uint8Array
  readonly milliseconds: number
  readonly warnings: readonly Warning[]
}

/** Writes every listed file of the caches of a source as `<out>/<cache>/<file>`. */
export async function writeFleet(source: FleetSource, out: string): Promise<FleetResult> {
  const start = performance.now()
  const { caches } = source
  const hosts = new Map<string, number>()
  for (const { hostName } of caches) hosts.set(hostName, (hosts.get(hostName) ?? 0) + 1)
  // Host names may repeat; no host name has an @ in it.
  const folderOf = ({ hostName, id }: { hostName: string; id: number }) =>
    safeName(hostName) + (hosts.get(hostName) === 1 ? '' : `@${id}`)
  const wanted = new Map<string, { job: CompileJob; places: Place[] }>()
  for (const cache of caches) {
    const configFiles = await source.listing(cache)
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
  await source.compile([...byJob.keys()], (job, made) => {
    counts.compiled += 1
    bar.to(counts.compiled, byJob.size)
    if ('fault' in made) {
      failures.push(made.fault)
      return
    }
    counts.threadMilliseconds += made.milliseconds
    for (const warning of made.warnings) warnings.set(JSON.stringify(warning), warning)
    for (const { folder, file } of byJob.get(job)!.places) {
      writeFileSync(join(folder, file), made.bytes)
      counts.files += 1
      counts.bytes += made.bytes.length
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
