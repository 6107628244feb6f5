import type { Fault } from '../../config/errors.js'

/** What is wrong with a document: so many faults as anybody reads, and how many more there are. */
export interface FaultList {
  add(fault: Fault): void
  /** All of them, those that are not said included. */
  readonly count: number
  said(): readonly Fault[]
}

const mostSaid = 1000

export function createFaultList(): FaultList {
  const faults: Fault[] = []
  let count = 0
  return {
    add: (fault) => {
      count += 1
      if (faults.length < mostSaid) faults.push(fault)
    },
    get count() {
      return count
    },
    said: () => {
      const more = count - faults.length
      return more === 0 ? faults : [...faults, { path: '', text: `and ${more} more faults` }]
    },
  }
}
