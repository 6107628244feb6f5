import type { CompileJob } from '../../compiler/core/compile.js'
import { compile } from '../../compiler/core/compile.js'
import { FileMissing } from '../../compiler/core/defineFile.js'
import { FragmentCache } from '../../compiler/core/keptFragments.js'
import { literalRemap } from './literals.js'
import type { Report, Section } from './report.js'
import { inTurns, median, ratio, timed } from './timing.js'
import type { World } from './world.js'
import { filesOfCaches, world } from './world.js'

/** By PERFORMANCE's table literals take half of what the field's fast Go library takes, at both sizes. */
const literalsToGo = 0.5
/** Every file of an edge with 2,000 services takes Go 60 to 90 ms, its remap.config 9.85: the middle of both. */
const allFilesToGoRemap = 75 / 9.85

/** Compile times of one edge that carries every service, on this thread. */
export function compiling(report: Report): void {
  for (const services of [200, 2000]) edgeWith(services, report)
}

function edgeWith(services: number, report: Report): void {
  const section = report.section('compiling', `one edge, ${services} delivery services, one thread`)
  const fleet = world({
    size: { servers: 40, cachegroups: 10, services, profiles: 13, tenants: 5 },
    share: 1,
    alike: 1,
    // As many files per service as the edge the Go figure was measured on (868 in all).
    ownFiles: 0.42,
  })
  const edge = filesOfCaches(fleet).find(({ jobs }) => jobs.some(({ file }) => file === 'sni.yaml'))!
  const remap: CompileJob = { file: 'remap.config', scope: 'servers', subjectId: edge.serverId }
  const { go, bytes } = remapTimes(fleet, remap, section)
  const { whole, per } = allFiles(fleet, edge.jobs)
  const all = `all ${edge.jobs.length} files of the edge, listing not included`
  if (services === 2000) section.goal(all, whole / (go * allFilesToGoRemap), '× Go 4.1', '<=', 1.5)
  section.show(all, whole, 'ms', `remap.config has ${Math.round(bytes / 1024)} KiB`)
  section.show('listing of the edge, first', timed(() => filesOfCaches(fleet)) / 40, 'ms', 'mean over the fleet')
  for (const [file, time] of [...per].sort((a, b) => b[1] - a[1]).slice(0, 8)) section.show(`  ${file}`, time, 'ms')
}

function remapTimes(fleet: World, remap: CompileJob, section: Section): { go: number; bytes: number } {
  const literalText = literalRemap(fleet.workingSet, remap.subjectId)
  const compiledText = compile(remap, fleet.basis(new FragmentCache())).text
  const [service = 0] = (
    fleet.workingSet.get('deliveryServiceServers', remap.subjectId) as never as {
      deliveryServices: number[]
    }
  ).deliveryServices
  const kept = new FragmentCache()
  const cold = new FragmentCache()
  let dscp = 0
  const times = inTurns(41, {
    literals: () => timed(() => literalRemap(fleet.workingSet, remap.subjectId)),
    first: () => {
      cold.clear()
      const basis = fleet.basis(cold)
      return timed(() => compile(remap, basis))
    },
    again: () => {
      const basis = fleet.basis(kept)
      dscp = (dscp + 1) % 60
      fleet.change('deliveryServices', service, () => ({ dscp }))
      return timed(() => compile(remap, basis))
    },
  })
  const go = median(times.literals) / literalsToGo
  section.show(
    'yardstick: remap.config by text literals',
    median(times.literals),
    'ms',
    sizes(literalText, compiledText),
  )
  section.show('Go 4.1, derived: literals / 0.50', go, 'ms')
  const first = ratio(times.first, times.literals) * literalsToGo
  const again = ratio(times.again, times.literals) * literalsToGo
  const large = Buffer.byteLength(compiledText) > 300_000
  if (large) section.goal('remap.config, first compile', first, '× Go 4.1', '<=', 1.6)
  else section.show('remap.config, first compile', first, '× Go 4.1')
  if (large) section.goal('remap.config after one service changed', again, '× Go 4.1', '<=', 0.25)
  else section.show('remap.config after one service changed', again, '× Go 4.1')
  section.show('remap.config, first compile', median(times.first), 'ms')
  section.show('remap.config after one service changed', median(times.again), 'ms')
  return { go, bytes: Buffer.byteLength(compiledText) }
}

const sizes = (...texts: string[]): string =>
  texts.map((text) => `${Math.round(text.length / 1024)} KiB`).join(', ours ')

/** Milliseconds for all files one after the other from nothing kept, and for each family of files. */
function allFiles(fleet: World, jobs: readonly CompileJob[]): { whole: number; per: Map<string, number> } {
  const whole: number[] = []
  const per = new Map<string, number[]>()
  const cold = new FragmentCache()
  for (let round = 0; round < 7; round++) {
    cold.clear()
    const basis = fleet.basis(cold)
    const times = new Map<string, number>()
    let sum = 0
    for (const job of jobs) {
      const time = timed(() => compileListed(job, basis))
      sum += time
      const name = family(job.file)
      times.set(name, (times.get(name) ?? 0) + time)
    }
    if (round < 2) continue
    whole.push(sum)
    for (const [name, time] of times) per.set(name, [...(per.get(name) ?? []), time])
  }
  return { whole: median(whole), per: new Map([...per].map(([name, times]) => [name, median(times)])) }
}

/** A listed file may be missing all the same: keys nobody made. */
function compileListed(job: CompileJob, basis: Parameters<typeof compile>[1]): void {
  try {
    compile(job, basis)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
  }
}

const family = (file: string): string => file.replace(/^(hdr_rw_mid|hdr_rw|regex_remap|url_sig|set_dscp)_.*/, '$1_*')
