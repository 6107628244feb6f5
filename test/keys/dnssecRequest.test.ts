import { expect } from 'chai'
import type { ApiError } from '../../api/config/errors.js'
import { readDnssecRequest } from '../../api/operations/keys/dnssecRequest.js'

const now = 1_790_000_000
const body = { key: 'demo', name: 'cdn.example.net', ttl: '60', kskExpirationDays: '365', zskExpirationDays: '30' }
const read = (changes: Record<string, unknown> = {}) => readDnssecRequest({ ...body, ...changes }, now)
const terms = (changes: Record<string, unknown>) => read(changes).terms
const faults = (changes: Record<string, unknown>): string[] => {
  try {
    read(changes)
    return []
  } catch (error) {
    return (error as ApiError).texts.map((text) => text.split(' ')[0]!)
  }
}

describe('a request for DNSSEC keys', () => {
  it('gives numbers as text', () => {
    expect(read()).to.deep.equal({
      key: 'demo',
      name: 'cdn.example.net',
      terms: { ttl: 60, kskExpirationDays: 365, zskExpirationDays: 30, now, effectiveDate: now, algorithm: 5 },
    })
  })

  it('may give them as numbers, and choose the algorithm', () => {
    expect(terms({ ttl: 120, algorithm: 8 })).to.include({ ttl: 120, algorithm: 8 })
    expect(terms({ algorithm: '5' })).to.include({ algorithm: 5 })
  })

  it('names everything that is missing', () => {
    expect(() => readDnssecRequest({ key: 'demo', ttl: '' }, now)).to.throw(
      /^missing fields: name, ttl, kskExpirationDays, zskExpirationDays$/,
    )
  })

  for (const bad of ['0', '-1', '1.5', '1e3', 'NaN', 0, 1.5, 4000, {}, [5], true])
    it(`does not take ${JSON.stringify(bad)} for a number of days`, () => {
      expect(faults({ zskExpirationDays: bad })).to.deep.equal(['zskExpirationDays'])
    })

  it('says everything that is wrong', () => {
    expect(faults({ key: 5, ttl: 'x', kskExpirationDays: 'y', algorithm: 'toString', effectiveDate: 'soon' })).to.eql([
      ...['key', 'ttl', 'kskExpirationDays', 'algorithm', 'effectiveDate'],
    ])
  })

  const inADay = now + 86_400
  const iso = new Date(inADay * 1000).toISOString()
  for (const date of [
    inADay,
    String(inADay),
    iso,
    iso.slice(0, 19),
    iso.slice(0, 19).replace('T', ' '),
    `${iso.slice(0, 19)}+00`,
  ])
    it(`takes ${date} for the effective date`, () => {
      expect(terms({ effectiveDate: date })).to.include({ effectiveDate: inADay })
    })

  it('takes a date in the past: a form was opened some time before it is sent', () => {
    for (const early of [now - 1, now - 29 * 86_400])
      expect(terms({ effectiveDate: early })).to.include({ effectiveDate: early, now })
  })

  // The keys of 30 days would have ended before they are made.
  for (const date of [now - 30 * 86_400, '2001-01-01', '2026-13-45', 'tomorrow', 1e15, {}])
    it(`refuses ${JSON.stringify(date)} as the effective date`, () => {
      expect(faults({ effectiveDate: date })).to.deep.equal(['effectiveDate'])
    })
})
