import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Not `recursive: true`: with that, Node 20 tries for ever where a parent exists and takes no directories (/proc). */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
  makeDurable(dirname(path))
}

/** What is new in a directory is there after a power failure only once the directory itself has been written. */
export function makeDurable(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
