import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, Section } from './report.js'
import { startModule } from './serving/processes.js'
import type { ServiceGiven, ServiceReady } from './serving/service.js'
import type { Load } from './serving/soakLoad.js'
import { loadOn } from './serving/soakLoad.js'
import { median } from './timing.js'

const writesPerSecond = 28
const pollsPerSecond = 1120
/** From this minute on nothing may rise any more. */
const settled = 3

/** What a service takes in memory that is written to and polled for minutes: it must not go on rising. */
export async function soak(report: Report, { minutes }: { minutes: number }): Promise<void> {
  const section = report.section('soak', `the sample CDN, ${writesPerSecond} writes/s, ${pollsPerSecond} polls/s`)
  const folder = mkdtempSync(join(tmpdir(), 'edgewright-bench-'))
  const given: ServiceGiven = { dataDir: join(folder, 'data'), fleet: 'sample CDN' }
  const service = await startModule<ServiceReady>('service', given, 'anywhere')
  try {
    const load = await loadOn(service.ready, { writesPerSecond, pollsPerSecond })
    const resident: number[] = []
    for (let minute = 1; minute <= minutes; minute++) {
      const seen: number[] = []
      for (let second = 0; second < 60; second++) {
        await new Promise((resolve) => setTimeout(resolve, 1000))
        seen.push(mebibytes(service, 'VmRSS') - mebibytes(service, 'RssFile'))
      }
      // Garbage makes it go up and down by the second.
      resident.push(median(seen))
      show(section, { minute, resident: median(seen), service, load, caches: await keptBytes(service.ready) })
    }
    await load.stop()
    section.show('writes', load.counts.writes / (60 * minutes), '/s')
    section.show('polls', load.counts.polls / (60 * minutes), '/s', `${load.counts.unchanged} unchanged`)
    if (load.counts.failed > 0) throw new Error(`${load.counts.failed} requests failed: ${load.counts.fault}`)
    judge(section, resident)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function judge(section: Section, resident: readonly number[]): void {
  const from = resident[settled - 1]
  const after = resident.slice(settled)
  if (from === undefined || after.length === 0) section.say(`too short to judge: it takes ${settled + 1} minutes`)
  else section.goal(`most memory after minute ${settled}, beside then`, Math.max(...after) / from, '×', '<=', 1.1)
}

interface Minute {
  readonly minute: number
  readonly resident: number
  readonly service: { readonly pid: number }
  readonly load: Load
  readonly caches: string
}

function show(section: Section, { minute, resident, service, load, caches }: Minute): void {
  const files = Math.round(mebibytes(service, 'RssFile'))
  const { writes, polls } = load.counts
  const note = `and ${files} MiB of the store's mapped file, which the kernel takes back when it wants; ${caches}; ${writes} writes, ${polls} polls`
  section.show(`minute ${minute}: memory, median`, resident, 'MiB', note)
}

function mebibytes({ pid }: { readonly pid: number }, name: 'VmRSS' | 'RssFile'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024
}

/** What the service says of its caches and its heap. */
async function keptBytes({ lane }: ServiceReady): Promise<string> {
  const text = await (await fetch(`${lane}/metrics`)).text()
  return [
    ...text.matchAll(
      /^(edgewright_(?:artifact|cache)\w*bytes\w*(?:\{[^}]*\})?|nodejs_heap_size_used_bytes|nodejs_external_memory_bytes) (\S+)$/gm,
    ),
  ]
    .map(
      ([, name, value]) =>
        `${name!.replace(/^edgewright_|^nodejs_|_bytes$/g, '')} ${(Number(value) / 2 ** 20).toFixed(1)}`,
    )
    .join(', ')
}
