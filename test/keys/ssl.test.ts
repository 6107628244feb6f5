import { expect } from 'chai'
import type { SslKeys } from '../../api/operations/keys/ssl.js'
import {
  nextVersion,
  presentCdnSslKeys,
  presentExpirations,
  presentSslKeys,
  sslKeyName,
  wantedVersion,
} from '../../api/operations/keys/ssl.js'

const keys = (changes: Partial<SslKeys> = {}): SslKeys => ({
  cdn: 'demo',
  deliveryservice: 'news',
  version: 1,
  hostname: '*.news.cdn.example.net',
  country: 'US',
  state: 'Colorado',
  city: 'Denver',
  organization: 'Example',
  businessUnit: null,
  expiration: '2027-05-01T00:00:00.000Z',
  certificate: { crt: 'the certificate', key: 'the key', csr: null },
  ...changes,
})
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the SSL keys of a delivery service', () => {
  it('are answered in base64, with the version as text up to 1.2', () => {
    expect(presentSslKeys['1.1'](keys(), false)).to.deep.equal({
      cdn: 'demo',
      deliveryservice: 'news',
      key: 'news',
      version: '1',
      hostname: '*.news.cdn.example.net',
      country: 'US',
      state: 'Colorado',
      city: 'Denver',
      organization: 'Example',
      businessUnit: null,
      certificate: { crt: base64('the certificate'), key: base64('the key'), csr: null },
    })
  })

  it('are answered decoded when asked, with native types from 1.3', () => {
    const answer = presentSslKeys['1.3'](keys({ certificate: { crt: 'c', key: 'k', csr: 'r' } }), true)
    expect(answer).to.deep.include({ version: 1, certificate: { crt: 'c', key: 'k', csr: 'r' } })
    expect(answer.expiration).to.equal('2027-05-01T00:00:00.000Z')
  })

  it('are counted up, and known by their count', () => {
    expect(nextVersion([])).to.equal(1)
    expect(nextVersion([2, 10, 9])).to.equal(11)
    expect([sslKeyName('news', 2), sslKeyName('news', 'latest')]).to.deep.equal(['news-2', 'news-latest'])
  })

  it('are found by version, the newest without one', () => {
    const versions = [keys(), keys({ version: 10 }), keys({ version: 9 })]
    const found = (wanted?: string) => wantedVersion(versions, wanted)?.version
    expect([found(), found(''), found('latest'), found('9'), found('4'), found('9.0')]).to.deep.equal([
      ...[10, 10, 10, 9],
      ...[undefined, undefined],
    ])
    expect(wantedVersion([], undefined)).to.equal(undefined)
  })
})

describe('the SSL keys of a CDN', () => {
  const all = [
    keys({ deliveryservice: 'sports', hostname: 'tr.sports.cdn.example.net', expiration: '2026-01-01T00:00:00.000Z' }),
    keys({ version: 9, certificate: { crt: 'old', key: 'old', csr: null }, expiration: '2025-01-01T00:00:00.000Z' }),
    keys({ version: 10 }),
  ]

  it('are the newest of each service, with its host name', () => {
    expect(presentCdnSslKeys(all)).to.deep.equal([
      {
        deliveryservice: 'news',
        hostname: '*.news.cdn.example.net',
        certificate: { crt: base64('the certificate'), key: base64('the key') },
      },
      {
        deliveryservice: 'sports',
        hostname: 'tr.sports.cdn.example.net',
        certificate: { crt: base64('the certificate'), key: base64('the key') },
      },
    ])
  })

  it('are listed by when they run out, without the keys', () => {
    expect(presentExpirations(all, Date.parse('2026-11-21'))).to.deep.equal([
      {
        cdn: 'demo',
        deliveryservice: 'sports',
        hostname: 'tr.sports.cdn.example.net',
        version: 1,
        expiration: '2026-01-01T00:00:00.000Z',
        expired: true,
      },
      {
        cdn: 'demo',
        deliveryservice: 'news',
        hostname: '*.news.cdn.example.net',
        version: 10,
        expiration: '2027-05-01T00:00:00.000Z',
        expired: false,
      },
    ])
  })
})
