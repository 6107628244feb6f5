import { closeSync, constants, fstatSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'

/** Blocks are allocated in pieces of this many bytes, so that few writes have to. */
const step = 4 << 20
/** Bytes of a usual key with what LMDB adds. */
const keySize = 64
/** Bytes that a new file with its tables can take. */
const newFile = 256 << 10
/** Bytes of LMDB's lock file, rounded up. */
const lockFile = 16 << 10
const zeros = Buffer.alloc(step)

/** What LMDB reports of its file. */
export interface Used {
  readonly pageSize: number
  readonly lastPageNumber: number
}

/** A transaction to come. */
export interface Planned {
  readonly puts: number
  /** Of all its values. */
  readonly bytes: number
}

/**
 * Keeps blocks allocated behind the last used page of an LMDB file, as many as the next transaction can need.
 *
 * A full disk is so met here, by a plain write whose failure changes nothing, and never inside LMDB: the
 * lmdb package (3.5.6) formats its message for a failed page write into a buffer that is too small, and the
 * process dies of a broken heap sooner or later.
 */
export function createHeadroom(
  file: string,
  readUsed: () => Used,
): {
  /** Throws what the system says (ENOSPC, EDQUOT, EFBIG, …) when there is no room for the transaction. */
  reserve: (planned: Planned) => void
  /** The same for a large one, in steps: it then takes `reserve` no time. The caller lets others have their turn between. */
  reserveInSteps: (planned: Planned) => Generator<void, void>
  close: () => void
} {
  const descriptor = openSync(file, 'r+')
  let allocated = fstatSync(descriptor).size
  let used = readUsed()
  return {
    reserve(planned) {
      const wanted = pagesFor(used, planned)
      // Asking LMDB takes time, so as long as there is room all that was reserved counts as used.
      if ((used.lastPageNumber + 1 + wanted) * used.pageSize > allocated) {
        used = readUsed()
        const start = (used.lastPageNumber + 1) * used.pageSize
        // LMDB extends the file itself when the estimate was too small: never write where its pages may be.
        allocated = Math.max(allocated, fstatSync(descriptor).size, start)
        while (start + wanted * used.pageSize > allocated) allocated += writeSync(descriptor, zeros, 0, step, allocated)
      }
      used = { ...used, lastPageNumber: used.lastPageNumber + wanted }
    },
    *reserveInSteps(planned) {
      for (;;) {
        // Others may write between two steps, and LMDB may take more than they asked for.
        used = readUsed()
        const start = (used.lastPageNumber + 1) * used.pageSize
        allocated = Math.max(allocated, fstatSync(descriptor).size, start)
        if (start + pagesFor(used, planned) * used.pageSize <= allocated) return
        allocated += writeSync(descriptor, zeros, 0, step, allocated)
        yield
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** Whether the system refused to write for want of room, whatever was said of it since. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error &&
  (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code)) || isOutOfRoom(error.cause))

/** Throws what the system says when there is no room for a new LMDB file with its first tables; of that, too, it dies. */
export function mustHaveRoom(file: string): void {
  const probe = `${file}.probe`
  try {
    writeFileSync(probe, zeros.subarray(0, newFile))
  } finally {
    rmSync(probe, { force: true })
  }
}

/**
 * Allocates every block of the file in which LMDB notes who reads. LMDB maps it with holes, and a process that writes
 * into a hole of a full disk is ended by a signal. Only for whoever holds the directory: LMDB then begins the file anew.
 */
export function makeLockWhole(file: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    for (let at = 0; at < lockFile; ) at += writeSync(descriptor, zeros, 0, lockFile - at, at)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Pages a transaction can take: those that hold its keys and values, twice for half-filled ones, and a copy of
 * each page it touches, which are the path to every key, or all pages there are.
 */
function pagesFor({ pageSize, lastPageNumber }: Used, { puts, bytes }: Planned): number {
  const values = 2 * Math.ceil((bytes + puts * keySize) / pageSize)
  return 64 + values + Math.min(puts * 6, lastPageNumber)
}
