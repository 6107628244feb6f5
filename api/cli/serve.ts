import type { AddressInfo } from 'node:net'
import { threadsLoaded } from '../../workers/loading.js'
import { readSettings } from '../config/settings.js'
import type { Service } from '../server.js'
import { openService } from '../server.js'
import type { Early } from './early.js'
import { CommandFailed } from './failed.js'
import { sayPassword } from './withService.js'

/** How long the store and the threads may take to end, in ms, once the last connection is closed. */
const closingMilliseconds = 10_000

export async function serveCommand(early: Early): Promise<void> {
  const settings = readSettings(process.env)
  const service = await openService(settings, { beforeFirstStart: early.hold })
  if (service.generatedPassword !== null) sayPassword(settings.adminUsername, service.generatedPassword)
  for (const warning of settings.warnings) service.services.log.warn(warning)
  await listen(service, early)
}

/**
 * Listens and arranges for an orderly end: open requests are finished, up to a deadline, then the process exits with 0;
 * with 1 where the store failed beneath it, so that whoever supervises it starts it anew. A second signal ends it at once.
 */
export async function listen(service: Service, early: Early): Promise<string> {
  const { server, services } = service
  const { host, port } = services.settings
  let ending = false
  const end = (signal: string): void => {
    if (ending) {
      services.log.warn({ signal }, 'ending at once')
      process.exit(1)
    }
    services.log.info({ signal }, 'closing')
    close(0)
  }
  const close = (code: number, why?: string): void => {
    ending = true
    // Whatever a store or a thread does not come to an end with is not waited for.
    setTimeout(() => {
      services.log.error('closing took too long')
      process.exit(1)
    }, services.settings.shutdownMilliseconds + closingMilliseconds).unref()
    service
      .close(why)
      .then(() => threadsLoaded())
      .then(
        () => process.exit(code),
        (error: unknown) => {
          services.log.error({ err: error }, 'closing failed')
          process.exit(1)
        },
      )
  }
  // It never fails.
  void service.broken.then((error) => {
    services.log.fatal({ err: error }, 'the store failed beneath the service, which ends to be started anew')
    if (!ending) close(1, error.message)
  })
  early.handOver(end)
  // One that waited has ended it: the process goes once all is closed.
  if (ending) return ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new CommandFailed(
          `cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'the port is taken' : error.message}`,
        ),
      )
    })
    server.listen(port, host, resolve)
  })
  service.warmUp()
  const { address, port: bound } = server.address() as AddressInfo
  const url = `${services.settings.tls ? 'https' : 'http'}://${address.includes(':') ? `[${address}]` : address}:${bound}`
  services.log.info({ url, revision: services.workingSet.revision }, 'listening')
  // A promise that nobody waits for is a mistake of the program, but none that makes what it serves wrong.
  process.on('unhandledRejection', (error) => services.failed('unhandled', error))
  // After any other mistake nobody knows what holds: the process ends, as node has it, and the log says why.
  process.on('uncaughtExceptionMonitor', (error) => services.log.fatal({ err: error }, 'ending after a mistake'))
  return url
}
