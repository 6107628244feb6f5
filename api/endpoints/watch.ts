import { type ChangeEvent, concerns } from '../changeHub.js'
import type { Asked, Endpoint } from '../endpoint.js'
import { badRequest, noSuch } from '../errors.js'
import type { Services } from '../services.js'
import type { EventStream } from '../stream.js'

const replayed = 500

/** Server-sent events: one per journal entry that concerns the CDN; `id` is the revision, to resume from. */
export const watchEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/watch',
    role: 'any',
    summary: 'Changes as server-sent events, resumed after Last-Event-ID',
    query: { cdn: 'only changes that concern this CDN (name)', since: 'begin after this revision; Last-Event-ID wins' },
    live: async (asked, services) => ({ stream: (stream) => watch(stream, asked, services), headers: {} }),
  },
]

async function watch(stream: EventStream, { query, headers }: Asked, services: Services): Promise<void> {
  const { hub, workingSet, store, data } = services
  const cdnId = query.cdn ? data.ids('cdns', 'name', query.cdn)[0] : null
  if (cdnId === undefined) throw noSuch('cdn', query.cdn ?? '')
  const from = headers['last-event-id'] ?? query.since
  if (from !== undefined && !/^\d{1,15}$/.test(from)) throw badRequest('Last-Event-ID and since are revisions.')
  let sent = from === undefined ? workingSet.revision : Number(from)
  const send = (event: ChangeEvent): void => {
    if (event.revision <= sent) return
    sent = event.revision
    if (concerns(event, cdnId)) stream.send(String(event.revision), { ...event, cdns: namesOf(event, services) })
  }
  stream.open()
  // What came between is read from the journal first; what comes meanwhile waits behind it.
  const early: ChangeEvent[] = []
  let caughtUp = false
  const stop = hub.subscribe((event) => (caughtUp ? send(event) : early.push(event)))
  stream.onClose(stop)
  while (sent < workingSet.revision) {
    const entries = await store.entriesAfter(sent, replayed)
    if (entries.length === 0) break
    for (const entry of entries) send(hub.eventOf(entry))
  }
  caughtUp = true
  for (const event of early.splice(0)) send(event)
}

const namesOf = ({ cdns }: ChangeEvent, { data }: Services): string[] | null =>
  cdns?.flatMap((id) => data.get('cdns', id)?.name ?? []) ?? null
