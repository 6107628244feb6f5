import { uniqueKey } from '../../journal/kinds.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'

type Service = Records['deliveryServices']

/** The keys of the zone of a CDN itself. */
export const ownKeys = (data: Data, cdnId: number): Records['dnssecKeys'] | undefined =>
  findOne(data, 'dnssecKeys', 'cdnId+ofCdnItself', uniqueKey([cdnId, true])!)

/** The keys of a service wherever it was, or those of the CDN itself. */
export const storedOf = (data: Data, cdnId: number, deliveryServiceId: number | null) =>
  deliveryServiceId === null
    ? ownKeys(data, cdnId)
    : findOne(data, 'dnssecKeys', 'deliveryServiceId', deliveryServiceId)

export function* storedFor(data: Data, cdnId: number, services: readonly Service[]) {
  for (const id of [null, ...services.map(({ id }) => id)]) {
    const stored = storedOf(data, cdnId, id)
    if (stored) yield [id, stored] as const
  }
}

export type ZoneRecord = Omit<Records['dnssecKeys'], 'id' | 'lastUpdated'>

export function put(transaction: Transaction, there: { id: number } | undefined, record: ZoneRecord): void {
  if (there) transaction.update('dnssecKeys', there.id, record)
  else transaction.create('dnssecKeys', record)
}
