import type { Failed } from '../../flow/failed.js'
import type { Sampler } from './sampler.js'
import { sampleInterval } from './sampler.js'

/** Has the monitors asked once a minute, but never by two rounds at a time. */
export function startSampling({ sampler, failed }: { sampler: Sampler; failed: Failed }): { stop(): void } {
  let isUnderWay = false
  const round = (): void => {
    if (isUnderWay) return
    isUnderWay = true
    sampler
      .sample()
      // The next minute tries again.
      .catch((error: unknown) => failed('samples', error))
      .finally(() => {
        isUnderWay = false
      })
  }
  const timer = setInterval(round, sampleInterval)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
