import { randomBytes } from 'node:crypto'
import { passwordFaults } from '../config/passwordRules.js'
import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import { Refused } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { withClient } from './service/withClient.js'
import { table } from './table.js'

interface User {
  readonly id: number
  readonly username: string
  readonly fullName: string
  readonly email: string
  readonly roleName: string
  readonly tenant: string
}

export async function userAddCommand(
  name: string,
  { role, email, tenant, ...options }: ServiceOptions & { role: string; email?: string; tenant: string },
): Promise<void> {
  const password = choosePassword(name, false)
  await withClient(
    options,
    (client) =>
      saidPlainly(
        client.ask('POST', 'users', {
          body: {
            username: name,
            fullName: name,
            email: email ?? `${name}@localhost.localdomain`,
            roleName: role,
            tenant,
            ...sent(password),
          },
        }),
      ),
    { existing: false },
  )
  say(name, password)
}

export async function userPasswordCommand(
  name: string,
  { generate = false, ...options }: ServiceOptions & { generate?: boolean },
): Promise<void> {
  const password = choosePassword(name, generate)
  await withClient(options, async (client) => {
    const user = await userNamed(client, name)
    await saidPlainly(client.ask('PUT', `users/${user.id}`, { body: { ...user, ...sent(password) } }))
  })
  say(name, password)
}

export async function userListCommand({
  json = false,
  ...options
}: ServiceOptions & { json?: boolean }): Promise<void> {
  await withClient(options, async (client) => {
    const { response } = await client.ask<readonly User[]>('GET', 'users')
    if (json) process.stdout.write(`${JSON.stringify(response, null, 2)}\n`)
    else {
      const rows = response.map(({ username, roleName, tenant, email, fullName }) => [
        username,
        roleName,
        tenant,
        email,
        fullName,
      ])
      process.stdout.write(table(['username', 'role', 'tenant', 'email', 'name'], rows))
    }
  })
}

export async function userRemoveCommand(name: string, options: ServiceOptions): Promise<void> {
  await withClient(options, async (client) => {
    const { id } = await userNamed(client, name)
    await saidPlainly(client.ask('DELETE', `users/${id}`))
  })
  process.stdout.write(`The user '${name}' is removed.\n`)
}

async function userNamed(client: Client, name: string): Promise<User> {
  const { response } = await client.ask<readonly User[]>('GET', 'users')
  const found = response.find(({ username }) => username === name)
  if (!found) throw new CommandFailed(`there is no user '${name}'`)
  return found
}

/** What the service says of the user, without where that was. */
async function saidPlainly<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const isOfUser = error instanceof Refused && error.status !== 401 && error.texts.length > 0
    throw isOfUser ? new CommandFailed(error.texts.join(' ')) : error
  }
}

interface Chosen {
  readonly text: string
  readonly generated: boolean
}

const sent = ({ text }: Chosen) => ({ localPasswd: text, confirmLocalPasswd: text })

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
