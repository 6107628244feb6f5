import pino from 'pino'
import { readSettings } from '../config/settings.js'
import type { Service } from '../server.js'
import { openService } from '../server.js'

/**
 * Opens the service without listening, for one command, and closes it whatever comes.
 *
 * @param options.existing for commands that are about what is there: an empty store is refused
 * @param options.operator by this token the command asks the service as `system`
 */
export async function withService<T>(
  use: (service: Service) => Promise<T>,
  { existing = false, operator = null }: { existing?: boolean; operator?: string | null } = {},
): Promise<T> {
  const settings = readSettings(process.env)
  const service = await openService(settings, { log: pino({ level: 'warn' }, pino.destination(2)), existing, operator })
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
