import { badRequest, noSuch } from '../config/errors.js'
import { isLong, turn } from '../flow/turns.js'
import { concerns } from '../journal/changeFeed.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import type { EventStream } from '../operations/eventStream.js'
import { mustBeKept } from '../operations/journalKeep.js'
import type { Parts } from '../operations/parts.js'
import { numberQuery, textQuery } from '../operations/queryParameters.js'

type Uses = Pick<Parts, 'data' | 'changeFeed' | 'store' | 'workingSet'>

/** Server-sent events: one per journal entry that concerns the CDN; `id` is the revision, to resume from. */
export const watchEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/watch',
    role: 'any',
    reach: 'shared',
    summary: 'Changes as server-sent events, resumed after Last-Event-ID',
    fails: [410],
    query: {
      cdn: textQuery('Only changes that concern this CDN (name).'),
      since: numberQuery('Begin after this revision; Last-Event-ID wins. 410 when what follows was removed.'),
    },
    live: async (input) => ({ stream: (stream) => watch(stream, input, uses), headers: {} }),
  },
]

/** Each watcher takes the events at its own pace, from memory or, as far back as it is, from the journal. */
async function watch(stream: EventStream, { query, headers }: RequestInput, services: Uses): Promise<void> {
  const { changeFeed, workingSet, data } = services
  const cdnId = query.cdn ? data.ids('cdns', 'name', query.cdn)[0] : null
  if (cdnId === undefined) throw noSuch('cdn', query.cdn ?? '')
  const from = headers['last-event-id'] ?? query.since
  if (from !== undefined && !/^\d{1,15}$/.test(from)) throw badRequest('Last-Event-ID and since are revisions.')
  let sent = from === undefined ? workingSet.revision : Number(from)
  await mustBeKept(sent, services)
  stream.open()
  let wake = (): void => undefined
  const stop = changeFeed.subscribe(() => wake())
  stream.onClose(() => {
    stop()
    wake()
  })
  while (stream.isOpen) {
    if (sent >= workingSet.revision) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    const events = await changeFeed.eventsAfter(sent)
    // What the journal has no more cannot be told.
    if (events.length === 0) sent = workingSet.revision
    for (const event of events) {
      if (isLong()) await turn()
      if (!stream.isOpen) return
      sent = event.revision
      if (concerns(event, cdnId)) await stream.send(String(event.revision), event.text)
    }
  }
}
