import { Type } from '@sinclair/typebox'
import { ApiError } from '../../config/errors.js'
import { KeysRefused } from './dnssec.js'
import type { Generated } from './dnssecMaking.js'
import type { MakeRsa } from './keyMaker.js'

/** How far the making of a CDN's keys is, as this process knows it. */
export interface Progress {
  readonly state: 'none' | 'making' | 'made' | 'failed'
  /** Zones whose keys are being made, or were: that of the CDN and of its services. */
  readonly zones: number
  /** Keys made so far, and how many there will be: two of each zone. */
  readonly made: number
  readonly of: number
  /** Why it failed, or which services have no zone. */
  readonly text: string
}

/** The shape of it, for OpenAPI. */
export const progressShape = Type.Object({
  state: Type.Union(['none', 'making', 'made', 'failed'].map((state) => Type.Literal(state))),
  zones: Type.Integer(),
  made: Type.Integer(),
  of: Type.Integer(),
  text: Type.String(),
})

export const noProgress: Progress = { state: 'none', zones: 0, made: 0, of: 0, text: '' }

/** The service ends: what is being made is given up, and nothing of it was written. */
export class GivenUp extends Error {
  override name = 'GivenUp'
  override message = 'The service ended while keys were made. Nothing was changed.'
}

/**
 * Counts what one job makes.
 *
 * @param isOver says that no further key is to be begun
 */
export function counting(makeRsa: MakeRsa, isOver: () => boolean) {
  let now: Progress = { ...noProgress, state: 'making' }
  let unwanted: ApiError | null = null
  const stillWanted = (): void => {
    if (unwanted) throw unwanted
  }
  return {
    /** Nobody wants the keys any more: whoever waits for them is told why. */
    giveUp: (why: ApiError) => {
      unwanted = why
    },
    isGivenUp: () => unwanted !== null,
    /** Throws why the keys were given up, if they were. */
    stillWanted,
    makeRsa: async (bits: number) => {
      if (isOver()) throw new GivenUp()
      stillWanted()
      const key = await makeRsa(bits)
      now = { ...now, made: now.made + 1 }
      return key
    },
    begun: (zones: number) => {
      now = { ...now, zones, of: 2 * zones }
    },
    ended: ({ withoutZone }: Generated) => {
      const text =
        withoutZone.length === 0 ? '' : `No host pattern below the CDN, so no zone: ${withoutZone.join(', ')}.`
      now = { ...now, state: 'made', text }
    },
    failed: (error: unknown) => {
      now = { ...now, state: 'failed', text: isTold(error) ? error.message : 'Internal Server Error' }
    },
    progress: () => now,
  }
}

/** Whether the text of an error is for whoever asked. */
export const isTold = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof KeysRefused || error instanceof GivenUp
