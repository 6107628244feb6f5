import pino from 'pino'
import { createService, type Service } from '../service.js'
import { readSettings } from '../settings.js'

/** Opens the service without listening, for one command, and closes it whatever comes. */
export async function withService<T>(use: (service: Service) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const service = await createService(settings, { log: pino({ level: 'warn' }, pino.destination(2)) })
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
