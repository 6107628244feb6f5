import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { importInto } from '../api/cli/transfer.js'
import { readSettings } from '../api/config/settings.js'
import { openService } from '../api/server.js'
import { openEmbedded } from '../api/store/lmdb/embedded.js'
import type { Entry, StoredRecord } from '../api/store/store.js'
import { fleetDocument } from './fleet.js'
import { watchHeld } from './held.js'

const [size = 'L'] = process.argv.slice(2)

/**
 * A service as a process of its own, over a CDN and a journal of some size, that measures its own event loop: to any
 * message it answers the longest delay since the last one, in ms.
 */
const settings = readSettings(process.env)
const first = await openService(settings)
await importInto(first, fleetDocument({ size: size as 'L' | 'XL' }))
await first.close()
await lengthenJournal()

const service = await openService(settings)
await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve))
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const held = watchHeld()
process.on('message', () => {
  process.send?.({ longest: delay.max / 1e6, held: held.longest() })
  delay.reset()
  held.reset()
})
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
const { port } = service.server.address() as AddressInfo
process.send?.({ url: `http://127.0.0.1:${port}`, revision: service.services.workingSet.revision })

/** Entries as installations have them after years: one that is large, and very many lines. */
async function lengthenJournal(): Promise<void> {
  const store = await openEmbedded(settings)
  const { revision, lastIds } = await store.load()
  const time = new Date().toISOString()
  let lastId = lastIds.divisions ?? 0
  const entry = (at: number, changes: number, lines: number): Entry => ({
    revision: revision + at,
    time,
    user: at % 2 === 0 ? 'admin' : 'another',
    id: randomUUID(),
    requestId: randomUUID(),
    changes: Array.from({ length: changes }, () => {
      const after = { id: ++lastId, name: `division ${lastId} of quite some length`, lastUpdated: time }
      return { kind: 'divisions', id: after.id, before: null, after: after as StoredRecord }
    }),
    log: Array.from({ length: lines }, (_, line) => ({
      level: 'APICHANGE',
      message: `Created division ${at}-${line} of quite some length`,
      ticketNum: null,
    })),
  })
  await store.append([entry(1, 75_000, 1)])
  for (let from = 2; from < 2502; from += 100) {
    await store.append(Array.from({ length: 100 }, (_, at) => entry(from + at, 1, 80)))
  }
  await store.close()
}
