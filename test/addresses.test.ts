import { expect } from 'chai'
import { subscriberOf } from '../api/config/address.js'
import { checker } from '../api/records/check.js'
import { ipv4, ipv6, text } from '../api/schema/fields.js'
import { netText, parseRange, rangeText } from '../compiler/cdn/addresses.js'

const read = (given: string): string | null => {
  const range = parseRange(given)
  return range && netText(range)
}

describe('addresses', () => {
  it('are read in every form there is, and written in one', () => {
    for (const [given, written] of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.77/24', '192.0.2.0/24'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['192.0.2.4-192.0.2.7', '192.0.2.4/30'],
      ['192.0.2.4-192.0.2.9', '192.0.2.4-192.0.2.9'],
      ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['2001:db8:0:1:0:0:0:1/64', '2001:db8:0:1::/64'],
      ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
      ['::', '::'],
      ['::/0', '::/0'],
      ['::1', '::1'],
      ['::ffff:192.0.2.1', '::ffff:c000:201'],
      ['::192.0.2.1', '::c000:201'],
      ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ]) {
      expect(read(given!), given).to.equal(written)
      expect(read(written!), written).to.equal(written)
    }
    expect(rangeText(parseRange('192.0.2.0/30')!)).to.equal('192.0.2.0-192.0.2.3')
  })

  it('are nothing when programs would not agree on what they are', () => {
    for (const given of [
      '192.0.2',
      // To some it ends in 10, to others in 8.
      '192.0.2.010',
      '0x7f.0.0.1',
      '192.0.2.256',
      '192.0.2.1/33',
      '192.0.2.1/',
      '192.0.2.9-192.0.2.1',
      '192.0.2.1-2001:db8::1',
      'fe80::1%eth0',
      '2001:db8::1::2',
      '2001:db8:1',
      '2001:db8::12345',
      '2001:db8::1/129',
      '',
    ])
      expect(read(given), given).to.equal(null)
  })

  it('of one subscriber are one, however they are written', () => {
    const one = ['2001:db8:0:7::1', '2001:0DB8:0000:0007:1:2:3:4', '2001:db8:0:7::192.0.2.1'].map(subscriberOf)
    expect(new Set(one)).to.deep.equal(new Set(['2001:db8:0:7::/64']))
    expect(subscriberOf('192.0.2.1')).to.equal('192.0.2.1')
    expect(subscriberOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64')
    expect(subscriberOf('not known')).to.equal('not known')
  })

  it('in records are what a compile can read', () => {
    const refused = (field: Parameters<typeof checker>[0], values: readonly string[]) =>
      values.filter((value) => checker(field)(value).length > 0)
    const wrong6 = ['fe80::1%eth0', 'fe80::1%eth0/64', '2001:db8::/129', '2001:db8::1/64/1', '192.0.2.1', '2001:db8']
    expect(refused(ipv6(), [...wrong6, '2001:db8::1', '2001:db8::1/64', '::ffff:192.0.2.1'])).to.deep.equal(wrong6)
    const wrong4 = ['192.0.2.010', '192.0.2.1/24', '192.0.2', '::1']
    expect(refused(ipv4(), [...wrong4, '192.0.2.1', '0.0.0.0'])).to.deep.equal(wrong4)
    const wrongMail = [
      'a',
      'a@b',
      'a b@example.net',
      'a..b@example.net',
      '.a@example.net',
      'a@-example.net',
      'a@example.net-',
    ]
    const mail = text({ format: 'email', max: 254 })
    expect(
      refused(mail, [...wrongMail, 'a+b@example.net', "o'neil@Mail.example.net", 'a@localhost.localdomain']),
    ).to.deep.equal(wrongMail)
  })
})
