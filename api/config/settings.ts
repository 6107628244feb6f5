import type { TrustedProxies } from './address.js'
import { trustedProxies } from './address.js'
import { BadSetting } from './errors.js'
import { formFaults } from './passwordRules.js'
import type { TlsFiles } from './tlsFiles.js'
import { tlsFaults } from './tlsFiles.js'
import type { Variables } from './variables.js'
import { namedHosts, readVariables } from './variables.js'

export interface Settings {
  /** What was likely meant for a setting and is none, a line each. */
  readonly warnings: readonly string[]
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
  /** Files of the certificate and its key with which it is served by https; `null`: by plain HTTP. */
  readonly tls: TlsFiles | null
  /** Cookies are marked `Secure` when the service is reached by https. */
  readonly secureCookies: boolean
  /** Scheme, host and port under which browsers find the service, where that is not the host they ask. */
  readonly publicOrigin: string | null
  /** Proxies that are believed when they name the client's address. */
  readonly trustedProxies: TrustedProxies
  /** What shows who may read all metrics; without one, everybody reads those that tell of no records. */
  readonly metricsToken: string | null
  /** How stores of time series are asked. */
  readonly influx: {
    /** The `Authorization` header; `null` without a user. */
    readonly authorization: string | null
    /** The `host:port` of those that are shown it. Who else is asked is what operators say. */
    readonly trusted: ReadonlySet<string>
    /** By https. */
    readonly tls: boolean
  }
  /** A line in the log for every request. */
  readonly accessLog: boolean
  /** How long open requests may take once the service is asked to end, in ms. */
  readonly shutdownMilliseconds: number
  /** Bound on all that is kept to be sent or compiled with, in bytes. */
  readonly cacheBytes: number
}

/** Reads the environment once, at start; everything that can be wrong is said here, all of it at once. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { values, faults, warnings } = readVariables(env)
  const { MONGODB_URI, PUBLIC_URL, ADMIN_PASSWORD, ADMIN_USERNAME, TLS_CERT, TLS_KEY } = values
  for (const name of MONGODB_URI === undefined ? [] : (['SESSION_SECRET', 'VAULT_KEY'] as const)) {
    if (values[name] === undefined)
      faults.push(`${name} must be set with MONGODB_URI: instances that share a store must share it`)
  }
  const access = [values.INFLUXDB_USER, values.INFLUXDB_PASSWORD, values.INFLUXDB_HOSTS]
  if (new Set(access.map((one) => one === undefined)).size > 1)
    faults.push('INFLUXDB_USER, INFLUXDB_PASSWORD and INFLUXDB_HOSTS are set together, or none is')
  if (values.INFLUXDB_USER?.includes(':'))
    faults.push('INFLUXDB_USER must have no colon: it is sent with one behind it')
  if (ADMIN_PASSWORD !== undefined)
    faults.push(...formFaults(ADMIN_PASSWORD, ADMIN_USERNAME).map((text) => `ADMIN_PASSWORD: ${text}`))
  const tls = TLS_CERT === undefined || TLS_KEY === undefined ? null : { cert: TLS_CERT, key: TLS_KEY }
  if (tls) faults.push(...tlsFaults(tls))
  else if (TLS_CERT !== TLS_KEY) faults.push('TLS_CERT and TLS_KEY are set together, or neither is')
  if (faults.length > 0) throw new BadSetting(faults.join('\n'))
  return Object.freeze({
    warnings,
    host: values.HOST,
    port: values.PORT,
    mongoUri: MONGODB_URI ?? null,
    dataDir: values.DATA_DIR,
    adminUsername: values.ADMIN_USERNAME,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    sessionSecret: values.SESSION_SECRET ?? null,
    vaultKey: values.VAULT_KEY ?? null,
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
    smtpUrl: values.SMTP_URL ?? null,
    tls,
    secureCookies: values.SECURE_COOKIES || tls !== null,
    publicOrigin: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin,
    trustedProxies: trustedProxies(values.TRUST_PROXY)!,
    metricsToken: values.METRICS_TOKEN ?? null,
    influx: {
      authorization: basicAuthorization(values),
      trusted: new Set(namedHosts(values.INFLUXDB_HOSTS ?? '')),
      tls: values.INFLUXDB_TLS,
    },
    accessLog: values.ACCESS_LOG,
    shutdownMilliseconds: values.SHUTDOWN_SECONDS * 1000,
    cacheBytes: values.CACHE_MB * 2 ** 20,
  })
}

function basicAuthorization({ INFLUXDB_USER: user, INFLUXDB_PASSWORD: password }: Variables): string | null {
  return user === undefined ? null : `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`
}
