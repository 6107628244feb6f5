import type { Fault } from '../../config/errors.js'
import { anyText, integer, oneOf, optional } from '../../schema/fields.js'
import { fieldsBody } from '../fieldsBody.js'
import type { Terms } from './dnssec.js'

const mostDays = 3650

const whole = (least: number, most: number, description: string) =>
  integer({ min: least, max: most, description, must: `must be a whole number from ${least} to ${most}` })

/** Which keys to make, as a client asks for them. */
export const dnssecRequest = fieldsBody(
  {
    key: anyText({ description: 'The name of the CDN.', exact: true, must: 'must be text' }),
    name: anyText({ description: 'The domain name of the CDN.', exact: true, must: 'must be text' }),
    ttl: whole(1, 7 * 86_400, 'Seconds.'),
    kskExpirationDays: whole(1, mostDays, 'Days.'),
    zskExpirationDays: whole(1, mostDays, 'Days.'),
    effectiveDate: optional(
      anyText({
        description: 'Seconds since 1970, or a date, taken as UTC without a zone; default now.',
        must: 'must be seconds since 1970 or a date',
      }),
    ),
    algorithm: oneOf([5, 8], {
      default: 5,
      description: 'RSASHA1, the default, or RSASHA256.',
      must: 'must be 5 (RSASHA1) or 8 (RSASHA256)',
    }),
  },
  { missing: (names) => `missing fields: ${names.join(', ')}` },
)

/**
 * Reads the body of a request for DNSSEC keys.
 *
 * @param now seconds since 1970
 * @throws ApiError 400 with all that is wrong
 */
export function readDnssecRequest(body: unknown, now: number): { key: string; name: string; terms: Terms } {
  const { key, name, ...terms } = dnssecRequest.read(body, ({ effectiveDate, zskExpirationDays, kskExpirationDays }) =>
    untimely(effectiveDate, now, Math.min(zskExpirationDays ?? mostDays, kskExpirationDays ?? mostDays)),
  )
  return { key, name, terms: { ...terms, now, effectiveDate: effective(terms.effectiveDate, now) ?? now } }
}

/** A date in the past is for keys that are to count at once; not for such that would have ended before they are made. */
function untimely(given: string | null | undefined, now: number, days: number): Fault[] {
  const path = 'effectiveDate'
  const seconds = effective(given, now)
  if (seconds === null) return [{ path, text: `${path} must be seconds since 1970 or a date` }]
  if (seconds > now + mostDays * 86_400) return [{ path, text: `${path} must not be more than ten years away` }]
  if (seconds + days * 86_400 > now) return []
  return [{ path, text: `${path} is so long past that the keys would have ended before they are made` }]
}

/** In seconds since 1970; `null` when it is no date. */
function effective(given: string | null | undefined, now: number): number | null {
  if (given === undefined || given === null) return now
  return /^\d{1,15}$/.test(given) ? Number(given) : dateSeconds(given)
}

const dateForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d|\+00)?$/

function dateSeconds(text: string): number | null {
  const parts = dateForm.exec(text)
  if (parts === null) return null
  const [, date, time = '00:00:00', zone = 'Z'] = parts
  const milliseconds = Date.parse(`${date}T${time}${zone === '+00' ? 'Z' : zone}`)
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
