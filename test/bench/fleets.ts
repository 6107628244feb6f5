import type { FleetOptions } from '../fleet.js'
import type { Report, Section } from './report.js'
import { threadsOf } from './threads.js'
import { timed, timedAsync } from './timing.js'
import type { CacheFiles } from './world.js'
import { distinct, filesOfCaches, jobName, world } from './world.js'

/** Every file of every cache of a fleet from nothing, through two threads that have not seen any data yet. */
export async function fleets(report: Report, { xl }: { xl: boolean }): Promise<void> {
  const section = report.section('fleets', 'whole-fleet cold compile, 2 threads')
  await fleet('M', { size: 'M' }, section)
  await fleet('M, cache groups alike', { size: 'M', alike: 1 }, section)
  await fleet('L', { size: 'L' }, section)
  if (xl) await fleet('XL', { size: 'XL' }, section)
  else section.say('fleet XL is left out; --xl takes it along')
}

async function fleet(name: string, options: FleetOptions, section: Section): Promise<void> {
  const made = world(options)
  let caches: CacheFiles[] = []
  const listing = timed(() => {
    caches = filesOfCaches(made)
  })
  const jobs = distinct(caches)
  const threads = threadsOf(made, 2)
  const compiling = await timedAsync(() => threads.compileAll(jobs))
  const lengths = new Map([...threads.artifacts].map(({ job, length }) => [jobName(job), length]))
  const served = caches.flatMap((cache) => cache.jobs).reduce((sum, job) => sum + (lengths.get(jobName(job)) ?? 0), 0)
  const { keptBytes } = threads.artifacts.counts()
  await threads.close()
  const files = `${jobs.length} files of ${caches.length} caches`
  const seconds = (listing + compiling) / 1000
  if (name === 'L') {
    section.goal(`fleet ${name}, bound`, seconds, 's', '<=', 60, files)
    section.goal(`fleet ${name}`, seconds, 's', '<=', 10, `listings ${(listing / 1000).toFixed(2)} s of it`)
  } else section.show(`fleet ${name}`, seconds, 's', files)
  const mib = `${(keptBytes / 2 ** 20).toFixed(1)} of ${(served / 2 ** 20).toFixed(0)} MiB`
  if (options.alike === 1) section.goal(`fleet ${name}, kept / served`, keptBytes / served, '', '<=', 0.1, mib)
  else section.show(`fleet ${name}, kept / served`, keptBytes / served, '', mib)
}
