import { availableParallelism, totalmem } from 'node:os'
import type { TrustedProxies } from './address.js'
import { trustedProxies } from './address.js'

export interface Settings {
  readonly host: string
  readonly port: number
  readonly mongoUri: string | null
  readonly dataDir: string
  readonly adminUsername: string
  readonly adminPassword: string | null
  readonly sessionSecret: string | null
  readonly vaultKey: string | null
  /** Compiling threads. */
  readonly workers: number
  readonly logLevel: string
  readonly smtpUrl: string | null
  /** Cookies are marked `Secure` when the service is reached by https. */
  readonly secureCookies: boolean
  /** Scheme, host and port under which browsers find the service, where that is not the host they ask. */
  readonly publicOrigin: string | null
  /** Proxies that are believed when they name the client's address. */
  readonly trustedProxies: TrustedProxies
  /** A line in the log for every request. */
  readonly accessLog: boolean
  /** How long open requests may take once the service is asked to end, in ms. */
  readonly shutdownMilliseconds: number
  /** Bound on all that is kept to be sent or compiled with, in bytes. */
  readonly cacheBytes: number
}

/** A setting that cannot be used; the text names the variable. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

/** Bytes of a secret that nobody guesses. */
export const shortestSecret = 16

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** A quarter of the memory there is, in MiB; of the container's, where that is less. */
function usualCache(): number {
  const constrained = process.constrainedMemory()
  const memory = Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY)
  return Math.max(4, Math.min(512, Math.floor(memory / 4 / 2 ** 20)))
}

/** Reads the environment once, at start; everything that can be wrong is said here. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const text = (name: string): string | null => env[name]?.trim() || null
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new BadSetting(`${name} must be a whole number from ${min} to ${max}, not '${value}'`)
    }
    return Number(value)
  }
  const flag = (name: string): boolean => {
    const value = text(name) ?? '0'
    if (value !== '0' && value !== '1') throw new BadSetting(`${name} must be 0 or 1, not '${value}'`)
    return value === '1'
  }
  const logLevel = text('LOG_LEVEL') ?? 'info'
  if (!levels.includes(logLevel)) throw new BadSetting(`LOG_LEVEL must be one of ${levels.join(', ')}`)
  const mongoUri = text('MONGODB_URI')
  if (mongoUri !== null && !/^mongodb(\+srv)?:\/\//.test(mongoUri))
    throw new BadSetting('MONGODB_URI must begin with mongodb://')
  for (const name of mongoUri === null ? [] : ['SESSION_SECRET', 'VAULT_KEY']) {
    if (text(name) === null)
      throw new BadSetting(`${name} must be set with MONGODB_URI: instances that share a store must share it`)
  }
  const sessionSecret = text('SESSION_SECRET')
  if (sessionSecret !== null && Buffer.byteLength(sessionSecret) < shortestSecret)
    throw new BadSetting(`SESSION_SECRET must have at least ${shortestSecret} bytes, better 32 random ones`)
  const proxies = trustedProxies(text('TRUST_PROXY') ?? '0')
  if (proxies === null)
    throw new BadSetting('TRUST_PROXY must be a number of proxies, or addresses and networks with commas between')
  const publicUrl = text('PUBLIC_URL')
  if (publicUrl !== null && !/^https?:$/.test(URL.canParse(publicUrl) ? new URL(publicUrl).protocol : ''))
    throw new BadSetting(`PUBLIC_URL must begin with http:// or https://, not '${publicUrl}'`)
  const smtpUrl = text('SMTP_URL')
  if (smtpUrl !== null && !(/^smtps?:\/\/./.test(smtpUrl) && URL.canParse(smtpUrl)))
    throw new BadSetting('SMTP_URL must begin with smtp:// or smtps://')
  return Object.freeze({
    host: text('HOST') ?? '127.0.0.1',
    port: number('PORT', 8080, 0, 65535),
    mongoUri,
    dataDir: text('DATA_DIR') ?? './data',
    adminUsername: text('ADMIN_USERNAME') ?? 'admin',
    adminPassword: text('ADMIN_PASSWORD'),
    sessionSecret,
    vaultKey: text('VAULT_KEY'),
    workers: number('WORKERS', Math.max(1, availableParallelism() - 1), 1, 256),
    logLevel,
    smtpUrl,
    secureCookies: flag('SECURE_COOKIES'),
    publicOrigin: publicUrl && new URL(publicUrl).origin,
    trustedProxies: proxies,
    accessLog: flag('ACCESS_LOG'),
    shutdownMilliseconds: number('SHUTDOWN_SECONDS', 10, 0, 3600) * 1000,
    cacheBytes: number('CACHE_MB', usualCache(), 4, 1_000_000) * 2 ** 20,
  })
}
