import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Not `recursive: true`: with that, Node 20 tries for ever where a parent exists and takes no directories (/proc). */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
  makeDurable(dirname(path))
}

/** Has a file, or what is new in a directory, outlast a power failure. */
export function makeDurable(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes a file for its owner only, in one piece: whenever the process dies, the disk is full or the power fails, there
 * is what was there before or all of `text`.
 */
export function writeWhole(path: string, text: string): void {
  const partial = `${path}.new`
  try {
    rmSync(partial, { force: true })
    writeFileSync(partial, text, { mode: 0o600 })
    makeDurable(partial)
    renameSync(partial, path)
    makeDurable(dirname(path))
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
