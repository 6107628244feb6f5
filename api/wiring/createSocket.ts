import { unwatchFile, watchFile } from 'node:fs'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { dirname } from 'node:path'
import { watch } from 'chokidar'
import type { Logger } from 'pino'
import { BadSetting } from '../config/errors.js'
import type { Settings } from '../config/settings.js'
import type { TlsFiles, TlsPair } from '../config/tlsFiles.js'
import { readTls } from '../config/tlsFiles.js'

interface Given {
  readonly settings: Pick<Settings, 'tls'>
  readonly log: Logger
  readonly options: ServerOptions
  readonly answer: RequestListener
}

/** What is listened with: plain HTTP, or HTTPS with the certificate that lies in the files, whenever it is another. */
export function createSocket({ settings: { tls }, log, options, answer }: Given): Server {
  if (!tls) return createServer(options, answer)
  const { pair, faults } = readTls(tls)
  if (!pair) throw new BadSetting(faults.join('\n'))
  const server = createTlsServer({ ...options, ...pair }, answer)
  server.once('listening', () => {
    const stop = followFiles(tls, pair, {
      changed: (next) => {
        server.setSecureContext(next)
        log.info({ until: next.until }, 'serving with the new certificate')
      },
      refused: (why) => log.error({ why }, 'the new certificate cannot be used, the one before stays'),
    })
    server.once('close', stop)
  })
  return server
}

/** Whoever renews a certificate writes two files, each in steps perhaps. */
const settleMilliseconds = 300
/** How often it is asked whether a path leads to another file: that costs next to nothing. */
const lookMilliseconds = 1000

/**
 * Reads the pair anew when something moves in the folders it lies in: those who renew certificates put links in place of
 * links, so it may be neither file itself. What is wrong is said once.
 */
function followFiles(
  files: TlsFiles,
  first: TlsPair,
  told: { changed: (pair: TlsPair) => void; refused: (why: readonly string[]) => void },
): () => void {
  let current = first
  let refused = ''
  let pending: NodeJS.Timeout | undefined
  const look = (): void => {
    const { pair, faults } = readTls(files)
    if (faults.length > 0 && faults.join() !== refused) told.refused(faults)
    refused = faults.join()
    if (!pair || (pair.cert === current.cert && pair.key === current.key)) return
    current = pair
    told.changed(pair)
  }
  const watcher = watch([...new Set([dirname(files.cert), dirname(files.key)])], { ignoreInitial: true, depth: 0 })
  watcher.on('error', (error) => told.refused([`the files cannot be followed: ${String(error)}`]))
  const moved = (): void => {
    clearTimeout(pending)
    pending = setTimeout(look, settleMilliseconds)
  }
  watcher.on('all', moved)
  // Of a folder that is a link, or lies behind one, or is made anew, the watcher goes on to follow the one before.
  const each = [files.cert, files.key]
  for (const file of each) watchFile(file, { interval: lookMilliseconds, persistent: false }, moved)
  return () => {
    for (const file of each) unwatchFile(file, moved)
    clearTimeout(pending)
    // It only lets go of what it watched.
    void watcher.close()
  }
}
