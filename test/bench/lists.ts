import type { Section } from './report.js'
import { startModule } from './serving/processes.js'
import type { ServiceGiven, ServiceReady } from './serving/service.js'
import { median, timedAsync } from './timing.js'

/** Long lists from a store that is there: made anew, and sent again. */
export async function lists(dataDir: string, section: Section): Promise<void> {
  const given: ServiceGiven = { dataDir, fleet: null }
  const service = await startModule<ServiceReady>('service', given, 'anywhere')
  try {
    const { lane, cookie } = service.ready
    const get = async (path: string): Promise<number> => {
      const answer = await fetch(`${lane}${path}`, { headers: { cookie, 'accept-encoding': 'identity' } })
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      return (await answer.arrayBuffer()).byteLength
    }
    for (const [kind, bound] of [['servers', 50] as const, ['deliveryservices', null] as const]) {
      const path = `/api/1.3/${kind}`
      const fresh: number[] = []
      const kept: number[] = []
      let bytes = 0
      for (let round = 0; round < 9; round++) {
        // An answer is kept under its URL, so each of these is made anew.
        const url = `${path}?round=${round}`
        const time = await timedAsync(async () => {
          bytes = await get(url)
        })
        const again = await timedAsync(() => get(url))
        if (round < 2) continue
        fresh.push(time)
        kept.push(again)
      }
      const size = `${(bytes / 2 ** 20).toFixed(1)} MiB, sending included`
      const name = `list of all ${kind}, uncached`
      if (bound === null) section.show(name, median(fresh), 'ms', size)
      else section.goal(name, median(fresh), 'ms', '<=', bound, size)
      section.show('  the same again, cached', median(kept), 'ms')
    }
  } finally {
    await service.stop()
  }
}
