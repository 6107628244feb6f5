import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '../config/errors.js'
import { passwordFaults } from '../config/passwordRules.js'
import { hashPassword } from '../config/passwords.js'
import type { Draft } from '../journal/transaction.js'
import { findOne } from '../schema/data.js'
import { system } from '../schema/privileges.js'
import { CommandFailed } from './failed.js'
import { withService } from './withService.js'

export async function userAddCommand(
  name: string,
  { role, email, tenant }: { role: string; email?: string; tenant: string },
): Promise<void> {
  const password = choosePassword(name, false)
  const passwordHash = await hashPassword(password.text)
  await withService(async ({ services: { committer } }) => {
    await refusable(() =>
      committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
        const roleId = findOne(transaction.data, 'roles', 'name', role)?.id
        if (roleId === undefined)
          throw new CommandFailed(
            `there is no role '${role}'; there are ${transaction.data
              .all('roles')
              .map((one) => one.name)
              .join(', ')}`,
          )
        const tenantId = findOne(transaction.data, 'tenants', 'name', tenant)?.id
        if (tenantId === undefined) throw new CommandFailed(`there is no tenant '${tenant}'`)
        transaction.create('users', {
          username: name,
          fullName: name,
          email: email ?? `${name}@localhost.localdomain`,
          role: roleId,
          tenantId,
          passwordHash,
        } as Draft<'users'>)
        transaction.log(`Created user ${name} with role ${role}`)
      }),
    )
  })
  say(name, password)
}

export async function userPasswordCommand(name: string, { generate = false }: { generate?: boolean }): Promise<void> {
  const password = choosePassword(name, generate)
  const passwordHash = await hashPassword(password.text)
  await withService(
    async ({ services: { committer } }) => {
      await refusable(() =>
        committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
          const user = findOne(transaction.data, 'users', 'username', name)
          if (!user) throw new CommandFailed(`there is no user '${name}'`)
          transaction.update('users', user.id, { passwordHash })
          transaction.log(`Set a new password for user ${name}`)
        }),
      )
    },
    { existing: true },
  )
  say(name, password)
}

interface Chosen {
  readonly text: string
  readonly generated: boolean
}

function choosePassword(username: string, generate: boolean): Chosen {
  const given = generate ? undefined : process.env.EDGEWRIGHT_PASSWORD
  if (given === undefined) return { text: randomBytes(15).toString('base64url'), generated: true }
  const [fault] = passwordFaults(given, given, username)
  if (fault) throw new CommandFailed(`EDGEWRIGHT_PASSWORD: ${fault.text}`)
  return { text: given, generated: false }
}

function say(name: string, { text, generated }: Chosen): void {
  process.stdout.write(
    generated
      ? `The password of '${name}' is '${text}'. It is not shown again.\n`
      : `The password of '${name}' is set.\n`,
  )
}

async function refusable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw error instanceof ApiError ? new CommandFailed(error.texts.join(' ')) : error
  }
}
