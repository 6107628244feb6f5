import { randomUUID } from 'node:crypto'
import type { Parts } from '../operations/parts.js'
import { freeze } from '../operations/snapshots/freeze.js'
import { findOne } from '../schema/data.js'
import { system } from '../schema/privileges.js'
import { sampleCdn } from './sampleCdn.js'

/** A first snapshot of each of the sample's CDNs, so that routers and monitors find what they ask for. */
export async function makeSampleSnapshots(parts: Parts): Promise<void> {
  const { data } = parts
  const own = sampleCdn.cdns.flatMap(({ name }) => findOne(data, 'cdns', 'name', name) ?? [])
  const lacking = own.filter(({ id }) => !data.get('activeSnapshots', id))
  for (const { id } of lacking) {
    await freeze(id, { who: { user: system, requestId: randomUUID() }, force: false, asked: null }, parts)
  }
}
