import { serialize } from 'node:v8'
import { drained } from '../../api/flow/slices.js'
import { jobsPerTask } from '../../api/operations/compiling.js'
import { compile } from '../../compiler/core/compile.js'
import { FragmentCache } from '../../compiler/core/keptFragments.js'
import { snapshotJob } from '../../compiler/listing/configFiles.js'
import { diffDocuments } from '../../compiler/snapshots/diff.js'
import { Replica } from '../../workers/replica.js'
import { SharedLog } from '../../workers/sharedLog.js'
import type { Report, Section } from './report.js'
import { threadsOf } from './threads.js'
import { median, timed } from './timing.js'
import type { World } from './world.js'
import { distinct, filesOfCaches, world } from './world.js'

/** What a fleet takes in memory with all its files hot, and how threads hear of changes. */
export async function memory(report: Report, { xl }: { xl: boolean }): Promise<void> {
  const size = xl ? 'XL' : 'L'
  const section = report.section('memory', `fleet ${size}, all files hot`)
  if (!xl) section.say('fleet XL is left out; --xl takes it in place of L')
  const before = used()
  const fleet = world({ size })
  section.show('records and indexes', (used() - before) / 2 ** 20, 'MiB')
  threadsHear(fleet, section)
  if (xl) snapshot(fleet, section)
  const jobs = distinct(filesOfCaches(fleet))
  const threads = threadsOf(fleet, 2)
  await threads.compileAll(jobs)
  const all = used() / 2 ** 20
  const bodies = Math.round(threads.artifacts.counts().keptBytes / 2 ** 20)
  const note = `${jobs.length} files, bodies ${bodies} MiB`
  if (xl) section.goal('heap and caches of the main thread', all, 'MiB', '<=', 1024, note)
  else section.show('heap and caches of the main thread', all, 'MiB', note)
  section.show('the whole process with both threads, resident', process.memoryUsage().rss / 2 ** 20, 'MiB')
  await threads.close()
}

/** Bytes in use after everything unused is gone. */
function used(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function threadsHear(fleet: World, section: Section): void {
  let log!: SharedLog
  section.show(
    'base for the threads, once',
    timed(() => {
      log = new SharedLog(fleet.workingSet, fleet.templates)
    }),
    'ms',
  )
  section.show('  its size', log.position.base.byteLength / 2 ** 20, 'MiB')
  let replica!: Replica
  section.show(
    'a thread reads the base',
    timed(() => {
      replica = new Replica(log.position, 64 * 2 ** 20)
    }),
    'ms',
  )
  const times = fleet.workingSet
    .allIds('servers')
    .slice(0, 40)
    .map((id) => {
      log.append(fleet.change('servers', id, ({ tcpPort }) => ({ tcpPort: Number(tcpPort) + 1 })))
      return timed(() => replica.catchUp(log.position))
    })
  section.goal('a thread catches up with one changed record', median(times), 'ms', '<=', 5)
  const jobs = distinct(filesOfCaches(fleet).slice(0, 5)).slice(0, jobsPerTask)
  const { generation, length } = log.position
  // The two buffers of the position are shared: a few bytes each name them.
  const bytes = serialize({ position: { generation, length }, jobs, explain: false }).length + 2 * 16
  section.goal(`task message of ${jobsPerTask} files`, bytes, 'bytes', '<=', 1024)
  const one = serialize({ position: { generation, length }, jobs: jobs.slice(0, 1), explain: false }).length + 2 * 16
  section.show('task message of one file', one, 'bytes')
}

/** The routers' document of the fleet's CDN, and how two versions of it differ. */
function snapshot(fleet: World, section: Section): void {
  const cdnId = fleet.workingSet.ids('cdns', 'name', 'fleet')[0]!
  const job = snapshotJob('CRConfig', cdnId)
  let text = ''
  const first = timed(() => {
    text = compile(job, fleet.basis(new FragmentCache())).text
  })
  section.goal(
    'routing snapshot, first compile',
    first / 1000,
    's',
    '<=',
    2,
    `${(text.length / 2 ** 20).toFixed(1)} MiB`,
  )
  const before = JSON.parse(text)
  for (const id of fleet.workingSet.allIds('servers').slice(0, 100)) {
    fleet.change('servers', id, ({ tcpPort }) => ({ tcpPort: Number(tcpPort) + 1 }))
  }
  const after = JSON.parse(compile(job, fleet.basis(new FragmentCache())).text)
  const times = Array.from({ length: 5 }, () =>
    timed(() => drained(diffDocuments(before, after, { offset: 0, limit: 100 }))),
  )
  section.goal('difference of two routing snapshots', median(times), 'ms', '<=', 500)
}
