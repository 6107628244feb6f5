import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreRefused } from '../store.js'

const published = /^owner-(\d+)-[0-9a-f]+$/
const attempts = 8

/**
 * Makes this process the only one that uses `directory`; resolves with the release. Throws StoreRefused when
 * another holds it.
 *
 * The lock is a listening unix socket in the directory. The kernel closes it however its process ends, so a
 * socket that refuses a connection belongs to nobody and is removed. Unlike a file with a process id this is
 * right across containers that share the directory, and when ids are reused.
 *
 * Each process publishes a socket of its own, then looks for others. Of two that start together at least one
 * sees the other, and whoever sees another withdraws; a few tries at random distances let one of them win.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  for (let attempt = 1; ; attempt++) {
    const mine = await publish(directory)
    const owner = await findOther(directory, mine.name)
    if (!owner) return mine.withdraw
    mine.withdraw()
    if (attempt === attempts) {
      throw new StoreRefused(
        `The data directory ${directory} is in use by another process (pid ${owner}). ` +
          'Stop it, or set DATA_DIR to another directory.',
      )
    }
    await delay(10 + Math.random() * 60)
  }
}

interface Published {
  readonly name: string
  readonly withdraw: () => void
}

async function publish(directory: string): Promise<Published> {
  const name = `owner-${process.pid}-${randomBytes(6).toString('hex')}`
  const server = createServer((socket) => socket.destroy())
  // Listens under another name first: between bind and listen a socket looks dead to those who try it.
  await atSocketPath(directory, `new-${name}`, (path) => listening(server, path))
  server.unref()
  renameSync(join(directory, `new-${name}`), join(directory, name))
  return {
    name,
    withdraw() {
      server.close()
      unlinkIfThere(join(directory, name))
    },
  }
}

/** The process id of a living owner other than `mine`; null when there is none. */
async function findOther(directory: string, mine: string): Promise<string | null> {
  for (const name of readdirSync(directory)) {
    const pid = published.exec(name)?.[1]
    if (!pid || name === mine) continue
    if (await atSocketPath(directory, name, answers)) return pid
    unlinkIfThere(join(directory, name))
  }
  return null
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new StoreRefused(`Cannot lock the data directory: ${error.message}`)))
    server.listen(path, resolve)
  })
}

/** Only a refused connection or a missing file proves that nobody is there. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT')
    })
  })
}

/** A socket's path may have some 100 bytes only; a deep directory is reached through an open descriptor of it. */
async function atSocketPath<T>(directory: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const fits = [join(directory, name), relative('', join(directory, name))].find(
    (path) => Buffer.byteLength(path) < 100,
  )
  if (fits) return use(fits)
  if (!existsSync('/proc/self/fd')) throw new StoreRefused(`The path of the data directory is too long: ${directory}`)
  const descriptor = openSync(directory, 'r')
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`)
  } finally {
    closeSync(descriptor)
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
