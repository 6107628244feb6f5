import type { Fault } from '../../config/errors.js'
import { algorithms } from './dnskey.js'
import type { Terms } from './dnssec.js'

/** Which keys to make, as a client asked. */
export interface DnssecRequest {
  /** The name of the CDN. */
  readonly key: string
  /** The domain name of the CDN. */
  readonly name: string
  readonly terms: Terms
}

/**
 * Reads the body of a request for DNSSEC keys. Numbers may be text. `effectiveDate` is seconds since 1970 or a date,
 * taken as UTC without a zone, and `now` when absent; `algorithm` is 5 when absent. Gives every fault at once.
 *
 * @param now seconds since 1970
 */
export function readDnssecRequest(body: Body, now: number): { request: DnssecRequest } | { faults: readonly Fault[] } {
  const missing = required.filter((field) => body[field] === undefined || body[field] === null || body[field] === '')
  if (missing.length > 0) return { faults: [{ path: missing[0]!, text: `missing fields: ${missing.join(', ')}` }] }

  const faults: Fault[] = []
  const whole = (field: string, least: number, most: number) => {
    const number = wholeNumber(body[field])
    if (number !== null && number >= least && number <= most) return number
    faults.push({ path: field, text: `${field} must be a whole number from ${least} to ${most}` })
    return least
  }
  const named = (field: string) => {
    const value = body[field]
    if (typeof value === 'string') return value
    faults.push({ path: field, text: `${field} must be text` })
    return ''
  }

  const request: DnssecRequest = {
    key: named('key'),
    name: named('name'),
    terms: {
      ttl: whole('ttl', 1, 7 * 86_400),
      kskExpirationDays: whole('kskExpirationDays', 1, mostDays),
      zskExpirationDays: whole('zskExpirationDays', 1, mostDays),
      now,
      effectiveDate: effective(body.effectiveDate, now, faults),
      algorithm: String(body.algorithm ?? 5) === '8' ? 8 : 5,
    },
  }
  if (!Object.hasOwn(algorithms, String(body.algorithm ?? 5)))
    faults.push({ path: 'algorithm', text: 'algorithm must be 5 (RSASHA1) or 8 (RSASHA256)' })
  return faults.length > 0 ? { faults } : { request }
}

type Body = Readonly<Record<string, unknown>>

const required = ['key', 'name', 'ttl', 'kskExpirationDays', 'zskExpirationDays']
const mostDays = 3650

function effective(value: unknown, now: number, faults: Fault[]): number {
  if (value === undefined || value === null || value === '') return now
  const seconds = wholeNumber(value) ?? (typeof value === 'string' ? dateSeconds(value) : null)
  if (seconds === null) {
    faults.push({ path: 'effectiveDate', text: 'effectiveDate must be seconds since 1970 or a date' })
    return now
  }
  if (seconds < now || seconds > now + mostDays * 86_400)
    faults.push({ path: 'effectiveDate', text: 'effectiveDate must not be in the past, nor more than ten years away' })
  return seconds
}

function wholeNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
}

const dateForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d|\+00)?$/

function dateSeconds(text: string): number | null {
  const parts = dateForm.exec(text)
  if (parts === null) return null
  const [, date, time = '00:00:00', zone = 'Z'] = parts
  const milliseconds = Date.parse(`${date}T${time}${zone === '+00' ? 'Z' : zone}`)
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
