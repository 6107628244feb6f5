import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'

const step = 1 << 20
const zeros = Buffer.alloc(step)

/** What LMDB reports of its file. */
export interface Used {
  readonly pageSize: number
  readonly lastPageNumber: number
}

export interface Planned {
  readonly puts: number
  readonly bytes: number
}

/**
 * Keeps blocks allocated behind the last used page of an LMDB file, as many as the next transaction can need.
 *
 * A full disk is so met here, by a plain write whose failure changes nothing, and never inside LMDB: the
 * lmdb package (3.5.6) formats its message for a failed page write into a buffer that is too small, and the
 * process dies of a broken heap sooner or later.
 */
export function createHeadroom(file: string): {
  /** Throws what the system says (ENOSPC, EDQUOT, EFBIG, …) when there is no room. */
  ensure: (used: Used, planned: Planned) => void
  close: () => void
} {
  const descriptor = openSync(file, 'r+')
  let allocated = fstatSync(descriptor).size
  return {
    ensure(used, planned) {
      const start = (used.lastPageNumber + 1) * used.pageSize
      const end = start + pagesFor(used, planned) * used.pageSize
      if (allocated >= end) return
      // LMDB extends the file itself when the estimate was too small: never write where its pages may be.
      allocated = Math.max(allocated, fstatSync(descriptor).size, start)
      while (allocated < end) allocated += writeSync(descriptor, zeros, 0, step, allocated)
    },
    close: () => closeSync(descriptor),
  }
}

/**
 * Pages a transaction can take: those that hold its values, twice for half-filled pages, and a copy of each page
 * it touches, which are the path to every key, or all pages there are.
 */
function pagesFor({ pageSize, lastPageNumber }: Used, { puts, bytes }: Planned): number {
  const values = 2 * Math.ceil(bytes / pageSize)
  const copies = Math.min(puts * 6, lastPageNumber + 2 * puts)
  return 64 + values + copies
}
