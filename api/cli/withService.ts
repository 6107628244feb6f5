import pino from 'pino'
import { readSettings } from '../config/settings.js'
import type { Service } from '../server.js'
import { openService } from '../server.js'

/**
 * Opens the service without listening, for one command, and closes it whatever comes.
 *
 * @param existing for commands that are about what is there: an empty store is refused
 */
export async function withService<T>(
  use: (service: Service) => Promise<T>,
  { existing = false }: { existing?: boolean } = {},
): Promise<T> {
  const settings = readSettings(process.env)
  const service = await openService(settings, { log: pino({ level: 'warn' }, pino.destination(2)), existing })
  if (service.generatedPassword !== null) sayPassword(settings.adminUsername, service.generatedPassword)
  try {
    return await use(service)
  } finally {
    await service.close()
  }
}

/** The generated password goes to the terminal once, and to no log. */
export function sayPassword(username: string, password: string): void {
  process.stderr.write(`\nThe administrator is '${username}', the password '${password}'. It is not shown again.\n\n`)
}
