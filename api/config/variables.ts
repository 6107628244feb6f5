import { isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { trustedProxies } from './address.js'
import { quoted } from './errors.js'
import { meantNames } from './meantNames.js'

/** Bytes of a secret that nobody guesses. */
export const shortestSecret = 16

/** Every variable of the environment that is a setting: what it may be, and what it is when it is not given. */
export const variables = Type.Object({
  HOST: Type.String({ format: 'host', default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8080 }),
  MONGODB_URI: given({ format: 'mongodb' }),
  DATA_DIR: Type.String({ default: './data' }),
  ADMIN_USERNAME: Type.String({ default: 'admin' }),
  ADMIN_PASSWORD: given(),
  SESSION_SECRET: given({ format: 'secret' }),
  VAULT_KEY: given({ format: 'vaultKey' }),
  WORKERS: Type.Integer({ minimum: 1, maximum: 256, default: Math.max(1, availableParallelism() - 1) }),
  LOG_LEVEL: Type.String({
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
  }),
  SMTP_URL: given({ format: 'smtp' }),
  TRUST_PROXY: Type.String({ format: 'proxies', default: '0' }),
  ACCESS_LOG: Type.Boolean({ default: false }),
  SHUTDOWN_SECONDS: Type.Integer({ minimum: 0, maximum: 3600, default: 10 }),
  PUBLIC_URL: given({ format: 'http' }),
  TLS_CERT: given(),
  TLS_KEY: given(),
  METRICS_TOKEN: given({ format: 'secret' }),
  INFLUXDB_USER: given(),
  INFLUXDB_PASSWORD: given(),
  INFLUXDB_HOSTS: given({ format: 'hosts' }),
  INFLUXDB_TLS: Type.Boolean({ default: false }),
  SECURE_COOKIES: Type.Boolean({ default: false }),
  CACHE_MB: Type.Integer({ minimum: 4, maximum: 1_000_000, default: usualCache() }),
})

export type Variables = Static<typeof variables>

interface Format {
  readonly asked: string
  readonly holds: (text: string) => boolean
  /** It may have a password in it, and is not repeated. */
  readonly secret?: boolean
}

/** The forms that texts may have to have, and how that is said. */
const formats: Readonly<Record<string, Format>> = {
  host: {
    asked: 'must be an address or a host name',
    holds: (text) => isIP(text) !== 0 || /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*\.?$/i.test(text),
  },
  hosts: {
    asked: 'must be host names or addresses, each with its port or 8086, with commas between',
    holds: (text) => namedHosts(text) !== null,
  },
  vaultKey: {
    asked: 'must be 32 bytes in hex or base64, or a passphrase of 16 characters or more',
    holds: (text) => text.length >= shortestSecret,
    secret: true,
  },
  mongodb: {
    asked: 'must begin with mongodb:// or mongodb+srv://, and name a host',
    holds: (text) => /^mongodb(\+srv)?:\/\/[^\s/?#]/.test(text),
    secret: true,
  },
  smtp: {
    asked: 'must begin with smtp:// or smtps://',
    holds: (text) => /^smtps?:\/\/./.test(text) && URL.canParse(text),
    secret: true,
  },
  secret: {
    asked: `must have at least ${shortestSecret} bytes, better 32 random ones`,
    holds: (text) => Buffer.byteLength(text) >= shortestSecret,
    secret: true,
  },
  http: {
    asked: 'must be http:// or https:// with a host and perhaps a port, and nothing behind',
    holds: isOrigin,
    // Whoever puts a password into it is not to find it in a log.
    secret: true,
  },
  proxies: {
    asked: 'must be a number of proxies, or addresses and networks with commas between',
    holds: (text) => trustedProxies(text) !== null,
  },
}

const ajv = new Ajv({ allErrors: true, useDefaults: true })
for (const [name, { holds }] of Object.entries(formats)) ajv.addFormat(name, holds)
const validate = ajv.compile<Variables>(variables)

/**
 * The variables as values of their types, a line for each that cannot be used, and one for each whose name is none but
 * looks like one. One that is empty is not given.
 */
export function readVariables(env: NodeJS.ProcessEnv): { values: Variables; faults: string[]; warnings: string[] } {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(variables.properties)) {
    const text = env[name]?.trim()
    if (text) values[name] = valueOfType(text, schema)
  }
  const wrong = validate(values) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath.slice(1))
  return {
    values: values as Variables,
    warnings: meantNames(Object.keys(env), Object.keys(variables.properties)),
    faults: [...new Set(wrong)].map((name) => fault(name as keyof Variables, String(values[name]))),
  }
}

/** A text that stands for no value of the type stays what it is, and is refused. */
function valueOfType(text: string, { type }: TSchema): unknown {
  if (type === 'integer' && /^\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^[01]$/.test(text)) return text === '1'
  return text
}

function fault(name: keyof Variables, text: string): string {
  const schema: TSchema = variables.properties[name]
  const not = `, not '${quoted(text)}'`
  if (schema.type === 'integer')
    return `${name} must be a whole number from ${schema.minimum} to ${schema.maximum}${not}`
  if (schema.type === 'boolean') return `${name} must be 0 or 1${not}`
  if (schema.enum) return `${name} must be one of ${schema.enum.join(', ')}${not}`
  const { asked: input, secret } = formats[schema.format as string]!
  return `${name} ${input}${secret ? '' : not}`
}

/** `host:port` of each, in lower case; `null` when one cannot be meant. */
export function namedHosts(text: string): string[] | null {
  const named = text.split(',').map((one) => {
    const [, host, port = '8086'] = /^\s*([a-z0-9.-]+)(?::(\d{1,5}))?\s*$/i.exec(one) ?? []
    return host === undefined ? null : `${host.toLowerCase()}:${Number(port)}`
  })
  return named.every((one) => one !== null) ? named : null
}

/** Scheme, host and port; a `/` may follow. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` && !/[?#]/.test(text)
}

/** A text that nothing stands in for. */
function given(options: { format?: string } = {}) {
  return Type.Optional(Type.String(options))
}

/** A quarter of the memory there is, in MiB; of the container's, where that is less. */
function usualCache(): number {
  const constrained = process.constrainedMemory()
  const memory = Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY)
  return Math.max(4, Math.min(512, Math.floor(memory / 4 / 2 ** 20)))
}
