import pino from 'pino'
import { WorkingSet } from '../../../compiler/data/workingSet.js'
import { BadSetting } from '../../config/errors.js'
import { keptVaultKeyId } from '../../config/secrets.js'
import type { Settings } from '../../config/settings.js'
import { createRecordKinds } from '../../journal/kinds.js'
import { plainData } from '../../journal/plainData.js'
import { recordKinds } from '../../records/kinds/index.js'
import { callerOf } from '../../schema/callers.js'
import type { Data } from '../../schema/data.js'
import { isRootAdmin } from '../../schema/privileges.js'
import { isOutOfRoom } from '../../store/diskSpace.js'
import type { Replacement } from '../../store/replacement.js'
import { discard, openReplacement, prepare } from '../../store/replacement.js'
import type { Part, Restored } from '../../store/store.js'
import { StoreBroken, StoreRefused, StoreUnavailable } from '../../store/store.js'
import { openSealed } from '../sealing/openSealed.js'
import { checkRestorable } from './checkRestorable.js'
import type { Header } from './format.js'
import { BackupDamaged, otherKey, partsOf } from './format.js'

/** What the thread is to do. */
export interface Order {
  readonly settings: Settings
  readonly file: string
  readonly replacement: Replacement
  /** Only look whether the file is whole. */
  readonly dryRun: boolean
  /** Not zero any more when nobody wants it. */
  readonly stop: Int32Array
}

/** What came of it. */
export type Outcome =
  | { readonly header: Header; readonly restored: Restored | null }
  | { readonly refused: string; readonly code: 'file' | 'key' | 'store' | 'broken' | 'room' | 'stopped' }

class Stopped extends Error {}

/**
 * Checks a backup whole and makes a store of it beside the one in use, in a thread of its own: that takes seconds, and
 * the memory of all that is in it. What it makes was opened and loaded as a service does it before anybody relies on it.
 */
export const prepareRestore = (order: Order): Promise<Outcome> => work(order).catch(refusalOf)

async function work({ settings, file, replacement, dryRun, stop }: Order): Promise<Outcome> {
  const goOn = (): void => {
    if (Atomics.load(stop, 0) !== 0) throw new Stopped()
  }
  const header = await checkRestorable(file, goOn)
  const fault = otherKey(header, keptVaultKeyId(settings))
  if (fault !== null) return { refused: `Nothing was changed: ${fault}`, code: 'key' }
  if (dryRun) return { header, restored: null }
  const restored = await prepare(settings, replacement, wanted(partsOf(file), goOn))
  try {
    await mustLoad(settings, replacement)
  } catch (error) {
    // What is left of it is swept at the next start.
    await discard(settings, replacement).catch(() => {})
    throw error
  }
  return { header, restored }
}

async function* wanted(parts: AsyncIterable<Part>, goOn: () => void): AsyncGenerator<Part> {
  for await (const part of parts) {
    goOn()
    yield part
  }
}

async function mustLoad(settings: Settings, replacement: Replacement): Promise<void> {
  const catalogue = createRecordKinds(recordKinds)
  const store = await openReplacement(settings, replacement)
  try {
    const log = pino({ level: 'silent' })
    const { loaded } = await openSealed(store, { settings, catalogue, now: () => new Date(), log, thoroughly: true })
    if (loaded.revision === 0) throw new StoreRefused('there is nothing in it.')
    const workingSet = new WorkingSet(catalogue.schema)
    workingSet.load(loaded.revision, loaded.records, loaded.lastIds)
    if (!hasAdministrator(plainData(workingSet, catalogue)))
      throw new StoreRefused('it has no administrator of the root tenant: nobody could look after it.')
    await store.settled()
  } finally {
    await store.close()
  }
}

const hasAdministrator = (data: Data): boolean =>
  data.all('users').some(({ id }) => {
    const caller = callerOf(data, id, null)
    return caller !== null && isRootAdmin(caller)
  })

/** Errors lose their class on the way to another thread. */
function refusalOf(error: unknown): Outcome {
  if (isOutOfRoom(error)) return { refused: 'there is no room', code: 'room' }
  if (error instanceof BackupDamaged) return { refused: `The file ${error.what}. Nothing was changed.`, code: 'file' }
  if (error instanceof StoreBroken) return { refused: error.message, code: 'broken' }
  if (error instanceof StoreUnavailable) return { refused: error.message, code: 'store' }
  if (error instanceof Stopped) return { refused: 'stopped', code: 'stopped' }
  if (error instanceof StoreRefused || error instanceof BadSetting)
    return { refused: `The backup cannot be used: ${error.message} Nothing was changed.`, code: 'file' }
  throw error
}
