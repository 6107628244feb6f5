import { randomBytes, randomUUID } from 'node:crypto'
import { BadSetting } from '../config/errors.js'
import { passwordFaults } from '../config/passwordRules.js'
import { hashPassword } from '../config/passwords.js'
import type { Draft } from '../journal/transaction.js'
import { seed } from '../records/seed.js'
import { findOne } from '../schema/data.js'
import { system } from '../schema/privileges.js'
import type { Parts } from './parts.js'
import { importDocument } from './transfer/transfer.js'

/**
 * Gives an empty store its reference rows and an administrator. Returns the password when it had to be generated:
 * it is shown once and kept nowhere. Two instances that start on one empty store agree through the journal.
 */
export async function firstStart({
  committer,
  catalogue,
  settings,
  data,
  workingSet,
}: Pick<Parts, 'committer' | 'catalogue' | 'settings' | 'data' | 'workingSet'>): Promise<string | null> {
  if (workingSet.revision > 0) return null
  const [fault] =
    settings.adminPassword === null
      ? []
      : passwordFaults(settings.adminPassword, settings.adminPassword, settings.adminUsername)
  if (fault) throw new BadSetting(`ADMIN_PASSWORD: ${fault.text}`)
  const password = settings.adminPassword ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const { value: made } = await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    if (data.has('users', 'username', settings.adminUsername)) return false
    const { faults } = importDocument(transaction, seed(), catalogue)
    if (faults.length > 0)
      throw new Error(`the reference rows have faults: ${faults.map(({ text }) => text).join('; ')}`)
    transaction.create('users', {
      username: settings.adminUsername,
      fullName: 'Administrator',
      email: `${settings.adminUsername}@localhost.localdomain`,
      role: findOne(transaction.data, 'roles', 'name', 'admin')!.id,
      tenantId: findOne(transaction.data, 'tenants', 'name', 'root')!.id,
      passwordHash,
    } as Draft<'users'>)
    transaction.log('First start: reference rows and the administrator')
    return true
  })
  return made && settings.adminPassword === null ? password : null
}
