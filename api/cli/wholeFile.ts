import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeDurable } from '../config/directory.js'
import { CommandFailed } from './failed.js'

/** What is written, and what it goes through before. */
export type Source = [Readable, ...Transform[]]

/**
 * Writes a file of which there is all or nothing: it gets its name once it is on disk, so a disk that fills up leaves
 * what was there before. `-` is standard output; a device or pipe is written to as it is.
 *
 * @param check throws when what was written is not to take the place of what was there
 */
export async function writeOutput(
  file: string,
  source: Source,
  { mode, check }: { mode: number; check?: (written: string) => Promise<void> },
): Promise<void> {
  if (file === '-') return pipeline([...source, process.stdout])
  const place = placeOf(file)
  if (!place.isReplaced) return namingFaults(file, () => pipeline([...source, createWriteStream(file)]))
  const partial = `${place.path}.partial`
  await namingFaults(file, async () => {
    const handle = await open(partial, 'w', mode)
    try {
      await pipeline([...source, handle.createWriteStream({ flush: true })])
      await check?.(partial)
      renameSync(partial, place.path)
      // A name is on disk when its folder is.
      makeDurable(dirname(place.path))
    } catch (error) {
      rmSync(partial, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  })
}

/** Whether the file is one that is there once it is written, to be looked at. */
export const isKept = (file: string): boolean => file !== '-' && placeOf(file).isReplaced

function placeOf(file: string): { path: string; isReplaced: boolean } {
  const there = statSync(file, { throwIfNoEntry: false })
  if (!there) return { path: file, isReplaced: true }
  return { path: realpathSync(file), isReplaced: there.isFile() }
}

async function namingFaults(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CommandFailed(`${file} cannot be written: ${(error as Error).message}`)
  }
}
