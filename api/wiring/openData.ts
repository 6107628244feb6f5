import type { Logger } from 'pino'
import { recorder } from '../../compiler/core/readSet.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Settings } from '../config/settings.js'
import type { Failed } from '../flow/failed.js'
import { createRecordKinds } from '../journal/kinds.js'
import { plainData } from '../journal/plainData.js'
import { openSealed } from '../operations/sealing/openSealed.js'
import { recordKinds } from '../records/kinds/index.js'
import type { Data } from '../schema/data.js'
import { openExisting, openStore } from '../store/open.js'
import type { Broken } from '../store/store.js'
import { untilClosed } from '../store/untilClosed.js'

export type OpenData = Awaited<ReturnType<typeof openData>>

/**
 * The store, opened, and all that it holds in memory.
 *
 * @param given.existing refuses an empty store instead of making a first start of it
 */
export async function openData(
  settings: Settings,
  given: { now: () => Date; log: Logger; failed: Failed; broken: Broken; existing: boolean },
) {
  const { now, log, existing } = given
  const catalogue = createRecordKinds(recordKinds)
  const plainStore = await (existing ? openExisting(settings, given) : openStore(settings, given))
  const opened = await openSealed(plainStore, { settings, catalogue, now, log }).catch(async (error) => {
    await plainStore.close()
    throw error
  })
  const { loaded, secrets, vault } = opened
  const workingSet = new WorkingSet(catalogue.schema)
  workingSet.load(loaded.revision, loaded.records, loaded.lastIds)
  const reading = () => {
    const { data, dependencies } = recorder<Data>(workingSet, { grain: 'full' })
    return { data: Object.assign(data, { keyOf: catalogue.keyOf }), dependencies, readAt: workingSet.revision }
  }
  return {
    store: untilClosed(opened.store),
    lastTime: loaded.time,
    secrets,
    vault,
    catalogue,
    workingSet,
    data: plainData(workingSet, catalogue),
    reading,
  }
}
