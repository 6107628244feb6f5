import type { CompileJob } from '../../compiler/core/compile.js'
import type { Report, Section } from './report.js'
import type { Threads } from './threads.js'
import { threadsOf } from './threads.js'
import { median, timedAsync } from './timing.js'
import type { CacheFiles, Row, World } from './world.js'
import { distinct, filesOfCaches, world } from './world.js'

/** What single edits make the threads do on fleet L with all files hot. */
export async function edits(report: Report): Promise<void> {
  const section = report.section('edits', 'single edits on fleet L, all files hot, 2 threads')
  const fleet = world({ size: 'L' })
  const caches = filesOfCaches(fleet)
  const jobs = distinct(caches)
  const threads = threadsOf(fleet, 2)
  try {
    await threads.compileAll(jobs)
    const parameter = await sharedParameter(fleet, threads, caches)
    await threads.refresh(jobs)
    await parameterEdited({ threads, jobs, caches, section }, parameter)
    await serviceEdited({ threads, jobs, caches, section }, fleet)
  } finally {
    await threads.close()
  }
}

interface Hot {
  readonly threads: Threads
  readonly jobs: readonly CompileJob[]
  readonly caches: readonly CacheFiles[]
  readonly section: Section
}

/** A parameter of records.config, given to as many profiles as make up 500 servers. */
async function sharedParameter(fleet: World, threads: Threads, caches: readonly CacheFiles[]): Promise<Row> {
  const profileOf = (serverId: number) => (fleet.workingSet.get('servers', serverId) as Row).profileId as number
  const profiles = new Set<number>()
  for (const { serverId } of caches.slice(0, 500)) profiles.add(profileOf(serverId))
  const all = fleet.workingSet.allIds('parameters').map((id) => fleet.workingSet.get('parameters', id) as Row)
  const [parameter] = all.filter(
    ({ configFile, value }) => configFile === 'records.config' && /^INT/.test(String(value)),
  )
  threads.change('parameters', parameter!.id, () => ({ profiles: [...profiles].sort((a, b) => a - b) }))
  return fleet.workingSet.get('parameters', parameter!.id) as Row
}

async function parameterEdited({ threads, jobs, caches, section }: Hot, parameter: Row): Promise<void> {
  const profiles = parameter.profiles as readonly number[]
  const users = new Set(
    caches.filter(({ jobs }) => jobs.some((one) => one.scope === 'profiles' && profiles.includes(one.subjectId))),
  )
  let compiled: CompileJob[] = []
  const fresh = await timedAsync(async () => {
    threads.change('parameters', parameter.id, () => ({ value: 'INT 4711' }))
    compiled = (await threads.refresh(jobs)).compiled
  })
  const strangers = compiled.filter(
    ({ file, scope, subjectId }) => file !== 'records.config' || scope !== 'profiles' || !profiles.includes(subjectId),
  )
  const what = `${compiled.length} of ${jobs.length} files, for ${users.size} servers`
  section.goal('one parameter of 500 servers: all fresh', fresh / 1000, 's', '<=', 5, what)
  section.goal('  files recompiled that do not print it', strangers.length, 'files', '<=', 0)
}

async function serviceEdited({ threads, jobs, caches, section }: Hot, fleet: World): Promise<void> {
  const per100: number[] = []
  const freshTimes: number[] = []
  let what = ''
  for (const id of fleet.workingSet.allIds('deliveryServices').slice(100, 112)) {
    const having = fleet.workingSet.ids('deliveryServiceServers', 'deliveryServices', id).length
    const mids = caches.filter(({ serverId }) => isMid(fleet, serverId)).length
    const before = performance.now()
    threads.change('deliveryServices', id, ({ qstringIgnore }) => ({ qstringIgnore: qstringIgnore === 1 ? 0 : 1 }))
    const { compiled, threadMilliseconds } = await threads.refresh(jobs)
    freshTimes.push(performance.now() - before)
    per100.push((threadMilliseconds / (having + mids)) * 100)
    what = `${compiled.length} files of ${having} edges and ${mids} mids`
  }
  section.goal('one service: thread time per 100 servers that have it', median(per100), 'ms', '<=', 50, what)
  section.show('  until all of them are fresh', median(freshTimes), 'ms')
}

function isMid(fleet: World, serverId: number): boolean {
  const { typeId } = fleet.workingSet.get('servers', serverId) as Row
  return (fleet.workingSet.get('types', typeId as number) as Row).name === 'MID'
}
