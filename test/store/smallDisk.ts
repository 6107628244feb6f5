import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly path: string
  /** Leaves so many bytes free. */
  fill(free?: number): void
  /** Frees what was filled. */
  empty(): void
  remove(): void
}

/** A disk of so many megabytes; `null`, which it says, without the right to mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'edgewright-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    console.log('    SKIPPED: a small disk cannot be mounted without the right to')
    return null
  }
  const ballast = join(path, 'ballast')
  const empty = (): void => rmSync(ballast, { force: true })
  return {
    path,
    empty,
    fill(free = 0) {
      empty()
      const { bavail, bsize } = statfsSync(path)
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - free)))
      } catch (error) {
        // Others were writing: it is full.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    remove() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
