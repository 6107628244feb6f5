import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { doAside } from '../../../workers/aside.js'
import type { ApiError } from '../../config/errors.js'
import { badRequest, clientGone, conflict, noRoom, restoreUnknown, restoring, storeAway } from '../../config/errors.js'
import type { Settings } from '../../config/settings.js'
import { isOutOfRoom } from '../../store/diskSpace.js'
import { discard, newReplacement, newWorkplace } from '../../store/replacement.js'
import type { Broken, Restored } from '../../store/store.js'
import { AppendFailed, StoreBroken, StoreRefused } from '../../store/store.js'
import type { Header } from './format.js'
import type { Order, Outcome } from './prepareThread.js'
import { receive } from './receive.js'
import type { Call, Restorer, Taking } from './restoring.js'

/** One at a time, each with a folder for its work in DATA_DIR. */
export function createRestorer(given: {
  settings: Settings
  broken: Broken
  exchange: (taking: Taking) => Promise<void>
}): Restorer {
  const { settings, broken, exchange } = given
  const stopping = new AbortController()
  let underWay: Promise<unknown> | null = null

  async function work(call: Call, folder: string, { dryRun, gone }: { dryRun: boolean; gone: AbortSignal }) {
    const { request, stillPermitted } = call
    const file = join(folder, 'uploaded')
    await receive(request, file)
    stillPermitted()
    // It asks the store for the time, and nothing else.
    const replacement = await newReplacement(settings, folder).catch(() => {
      throw storeAway()
    })
    const signal = AbortSignal.any([gone, stopping.signal])
    const made = await prepared({ settings, file, replacement, dryRun }, signal, broken)
    if (made.restored) await taken({ replacement, permitted: () => mayTake(stillPermitted, signal), own: request })
    return made
  }

  function workplace(): string {
    try {
      return newWorkplace(settings.dataDir)
    } catch (error) {
      throw isOutOfRoom(error) ? noRoom() : error
    }
  }

  /** From here on it is done, whether its client is still there or not. */
  function mayTake(stillPermitted: () => void, signal: AbortSignal): void {
    if (signal.aborted) throw clientGone()
    stillPermitted()
  }

  async function taken(taking: Taking): Promise<void> {
    try {
      await exchange(taking)
    } catch (error) {
      // It may take its place still.
      if (error instanceof AppendFailed) throw restoreUnknown()
      // What is left of it is swept at the next start.
      await discard(settings, taking.replacement).catch(() => {})
      if (isOutOfRoom(error)) throw noRoom()
      throw error instanceof StoreRefused ? conflict(error.message) : error
    }
  }

  return {
    async restore(call, how) {
      if (underWay) throw conflict('A restore is under way. Nothing of this one was done.')
      if (stopping.signal.aborted) throw restoring()
      const folder = workplace()
      const own = work(call, folder, how).finally(() => {
        rmSync(folder, { recursive: true, force: true })
        underWay = null
      })
      underWay = own
      return own
    },
    stop: async () => {
      stopping.abort()
      // Who asked for it hears how it went.
      await underWay?.catch(() => {})
    },
  }
}

/** What the thread makes of it, or why it is refused. */
async function prepared(
  order: Omit<Order, 'stop'>,
  signal: AbortSignal,
  broken: Broken,
): Promise<{ header: Header; restored: Restored | null }> {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const giveUp = (): void => void Atomics.store(stop, 0, 1)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  try {
    const task: Order = { ...order, stop }
    const outcome = await doAside<Order, Outcome>({
      module: 'api/operations/backup/prepareThread',
      name: 'prepareRestore',
      task,
    })
    // The file was another, the memory that is not to be trusted any more is the same.
    if ('refused' in outcome && outcome.code === 'broken') broken(new StoreBroken(outcome.refused))
    if ('refused' in outcome) throw refusal(outcome)
    return outcome
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function refusal({ code, refused }: Extract<Outcome, { refused: string }>): ApiError {
  switch (code) {
    case 'file':
      return badRequest(refused)
    case 'key':
      return conflict(refused)
    case 'room':
      return noRoom()
    case 'store':
    case 'broken':
      return storeAway()
    case 'stopped':
      return clientGone()
  }
}
