import { randomBytes, scryptSync } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { importInto } from '../api/cli/transfer.js'
import { readSettings } from '../api/config/settings.js'
import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { findOne } from '../api/schema/data.js'
import { openService } from '../api/server.js'

export const admin = { username: 'admin', password: 'a-Password-of-tests' } as const

/** What a data folder holds: a service after its first start, or that with the sample CDN, keys included. */
export type Content = 'first start' | 'sample'

const made = new Map<Content, Promise<string>>()

/**
 * Fills an empty data folder. What it holds is made once in a process, by the service itself, and copied: a first start
 * hashes a password, which is to take its time, and the sample has hundreds of records.
 */
export async function prepareData(dataDir: string, content: Content): Promise<void> {
  if (!made.has(content)) made.set(content, makeData(content))
  cpSync(await made.get(content)!, dataDir, { recursive: true })
}

async function makeData(content: Content): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-prepared-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const settings = readSettings({ DATA_DIR: dataDir, ADMIN_PASSWORD: admin.password, WORKERS: '1' })
  const service = await openService(settings, { log: pino({ level: 'silent' }) })
  const { email, fullName } = findOne(service.services.data, 'users', 'username', admin.username)!
  const { username, password } = admin
  const user = { username, email, fullName, role: 'admin', tenant: 'root', passwordHash: cheapHash(password) }
  const { users = [], ...records } = content === 'sample' ? sampleCdn : {}
  await importInto(service, { ...records, users: [...users, user] })
  if (content === 'sample') await makeSampleKeys(service.services)
  await service.close()
  return dataDir
}

/** A password's hash of the least cost. What a check costs is said by what is stored, and only here it is not much. */
export function cheapHash(password: string): string {
  const cost = { N: 16, r: 1, p: 1 }
  const salt = randomBytes(16)
  const key = scryptSync(password, salt, 64, cost)
  return ['SCRYPT', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join(':')
}
