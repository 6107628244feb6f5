import { setTimeout } from 'node:timers/promises'
import { asReader, type Data, findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { describeCdn } from '../upstream/describe.js'
import type { DocumentName, DocumentOf } from '../upstream/documents.js'
import type { FetchBytes, Upstream } from '../upstream/fetchJson.js'
import { UpstreamFault } from '../upstream/fetchJson.js'
import { figures } from '../upstream/figures.js'
import { fetchDocument } from '../upstream/readDocument.js'
import type { Ring, Sample } from './ring.js'

type Cdn = Records['cdns']

export interface Sampler {
  /** Asks the monitors of all CDNs and keeps what they say. Never rejects for what they do. */
  sample(): Promise<void>
  /** The same of one CDN, unless that was done in the last minute; monitors that are slow are not waited for. */
  recent(cdn: Cdn): Promise<void>
  /** How many samples are kept, and about how much memory they take. */
  kept(): { readonly samples: number; readonly bytes: number }
}

interface Given {
  readonly data: Data
  readonly ring: Ring
  readonly fetch: FetchBytes
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** How far apart samples are, in ms: as far as those that the field's statistics daemon has summed up. */
export const sampleInterval = 60_000

/** How long monitors that did not answer are left alone by those who ask for a series, in ms. */
const tryInterval = 10_000

/** For how long who asks for a series, and the next CDN, wait for what the monitors say now, in ms. */
const longestWait = 3000

export function createSampler({ data, ring, fetch, now }: Given): Sampler {
  const underWay = new Map<number, Promise<void>>()
  const tried = new Map<number, number>()

  /** The document of the first monitor that gives it. */
  async function first<N extends DocumentName>(name: N, monitors: readonly Upstream[]): Promise<DocumentOf<N> | null> {
    for (const monitor of monitors) {
      try {
        return await fetchDocument(name, monitor, fetch)
      } catch (error) {
        // The summaries of now say who failed; a sample that nobody could give is none.
        if (!(error instanceof UpstreamFault)) throw error
      }
    }
    return null
  }

  async function ask(cdn: Cdn): Promise<void> {
    const { monitors, caches } = describeCdn(asReader(data), cdn)
    const [measured, served] = await Promise.all([first('CacheStats', monitors), first('DsStats loads', monitors)])
    if (measured === null && served === null) return
    const own = new Map<number, readonly number[]>()
    for (const [xmlId, loads] of served?.services ?? []) {
      const service = findOne(data, 'deliveryServices', 'xmlId', xmlId)
      if (service?.cdnId === cdn.id) own.set(service.id, loads)
    }
    const sample: Sample = { at: now(), cdnId: cdn.id, cdn: figures({ caches, stats: measured }), services: own }
    ring.add(sample)
  }

  /** Whoever asks for a sample that is being taken waits for that one. */
  function take(cdn: Cdn): Promise<void> {
    tried.set(cdn.id, now())
    const flight = underWay.get(cdn.id) ?? ask(cdn).finally(() => underWay.delete(cdn.id))
    underWay.set(cdn.id, flight)
    return flight
  }

  return {
    kept: () => ({ samples: ring.size, bytes: ring.bytes }),
    async sample() {
      // One CDN after the other; those whose monitors do not answer, of which operators add as many as they like, hold up
      // the others once, and not again while they are still being asked.
      for (const { id } of data.all('cdns')) {
        const cdn = data.get('cdns', id)
        if (cdn && !underWay.has(id)) await atMost(longestWait, take(cdn))
      }
    },
    async recent(cdn) {
      const since = (at: number | null | undefined) =>
        at == null || at > now() ? Number.POSITIVE_INFINITY : now() - at
      if (since(ring.newest(cdn.id)) < sampleInterval) return
      if (underWay.has(cdn.id) || since(tried.get(cdn.id)) >= tryInterval) await atMost(longestWait, take(cdn))
    },
  }
}

/** Waits for it, but no longer than so many ms. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, setTimeout(milliseconds, undefined, { ref: false })])
}
