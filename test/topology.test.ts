import { expect } from 'chai'
import fc from 'fast-check'
import { coalesced, joinedRanges, netText, parseRange, rangeText } from '../compiler/cdn/addresses.js'
import { oneLine, returnLines, yamlQuoted } from '../compiler/cdn/text.js'
import { childServers, isTopTier, originServers, parentCaches, parentGroups } from '../compiler/cdn/topology.js'
import type { Edit } from './smallData.js'
import { smallData } from './smallData.js'

const [org, mE, mW, eA] = [1, 2, 3, 4]
const heard = (data: ReturnType<typeof smallData>) => ({ data: data.reader(), warn: () => undefined })

describe('topology', () => {
  it('knows which caches face the origins', () => {
    const data = smallData().reader()
    expect([org, mE, mW, eA].map((group) => isTopTier(data, group))).to.deep.equal([true, true, true, false])
  })

  it('passes over parent groups that do not exist or repeat', () => {
    const data = smallData(['cachegroups', { id: eA, parentCachegroupId: 99, secondaryParentCachegroupId: mW }])
    expect(parentGroups(data.reader(), eA)).to.deep.equal({ primary: null, secondary: mW })
    data.edit(['cachegroups', { id: eA, parentCachegroupId: mW }])
    expect(parentGroups(data.reader(), eA)).to.deep.equal({ primary: mW, secondary: null })
  })

  it('takes the secondary parents when no primary one can be used', () => {
    const offline: Edit[] = [2, 3].map((id) => ['servers', { id, statusId: 3 }])
    const { primary, secondary } = parentCaches(heard(smallData(...offline)), 1, { primary: mE, secondary: mW })
    expect([primary.map(({ authority }) => authority), secondary]).to.deep.equal([['m3.orb.example.net:80'], []])
  })

  it('counts origin servers only for the services assigned to them', () => {
    const asking = heard(smallData(['deliveryServiceServers', { id: 6, deliveryServices: [1] }]))
    const of = (service: number) =>
      originServers(asking, 1, service, { primary: org, secondary: null }).primary.map(({ authority }) => authority)
    expect([of(1), of(2), of(3)]).to.deep.equal([['g2.orb.example.net:80'], [], ['g1.orb.example.net:80']])
  })

  it('finds the children of a group in its own CDN, whatever their status, and the monitors', () => {
    const data = smallData(['servers', { id: 1, statusId: 3 }]).reader()
    expect(childServers(data, 1, mW).map(({ hostName }) => hostName)).to.deep.equal(['a1', 'mon'])
    expect(childServers(data, 2, mE).map(({ hostName }) => hostName)).to.deep.equal(['z1'])
  })
})

describe('what must not make a file stale', () => {
  const edits: [string, Edit, string[]][] = [
    ['assigning another service to another server', ['deliveryServiceServers', { id: 9, deliveryServices: [] }], []],
    ["another CDN's service", ['deliveryServices', { id: 5, dscp: 9 }], []],
    ['a parameter of the monitor', ['parameters', { id: 18, value: '5' }], []],
    ['a record of the profile', ['parameters', { id: 14, value: 'INT 0' }], []],
    ['where routers send clients next', ['cachegroupFallbacks', { id: 1, fallbackOrder: 2 }], []],
    ['a job', ['jobs', { id: 1, parameters: 'TTL:1h' }], ['regex_revalidate.config']],
    ['an origin server', ['servers', { id: 5, tcpPort: 81 }], ['parent.config of m1']],
    ['the weight of mids', ['parameters', { id: 4, value: '0.7' }], ['parent.config of a1']],
    ["a service's mark", ['deliveryServices', { id: 1, dscp: 9 }], ['remap.config of a1']],
  ]
  const made: [string, string, 'servers' | 'cdns', number][] = [
    ['remap.config of a1', 'remap.config', 'servers', 1],
    ['remap.config of m1', 'remap.config', 'servers', 2],
    ['parent.config of a1', 'parent.config', 'servers', 1],
    ['parent.config of m1', 'parent.config', 'servers', 2],
    ['ip_allow.yaml of m1', 'ip_allow.yaml', 'servers', 2],
    ['regex_revalidate.config', 'regex_revalidate.config', 'cdns', 1],
  ]
  for (const [what, edit, changed] of edits) {
    it(what, () => {
      const data = smallData()
      const before = made.map(([, file, scope, id]) => data.compile(file, scope, id))
      data.edit(edit)
      const stale = made.filter((_, i) => !data.workingSet.unmoved(before[i]!.readSet, 1)).map(([name]) => name)
      const differs = made
        .filter(([, file, scope, id], i) => data.compile(file, scope, id).text !== before[i]!.text)
        .map(([name]) => name)
      expect(differs).to.deep.equal(changed)
      expect(stale).to.include.members(changed)
      if (changed.length === 0) expect(stale).to.deep.equal([])
    })
  }
})

describe('remap.config', () => {
  it('makes only the block of the service that changed again', () => {
    const data = smallData()
    data.compile('remap.config', 'servers', 1)
    const before = data.fragments.made
    data.edit(['deliveryServices', { id: 1, dscp: 9 }])
    data.compile('remap.config', 'servers', 1)
    // Its block and the group of neighbours it is in.
    expect(data.fragments.made - before).to.equal(2)
  })

  it('shares its blocks among the servers of a profile', () => {
    const data = smallData()
    data.compile('remap.config', 'servers', 1)
    const before = data.fragments.made
    data.edit(['servers', { ...data.workingSet.get('servers', 1)!, id: 20, hostName: 'a2' }])
    data.edit(['deliveryServiceServers', { id: 20, deliveryServices: [1, 2, 3, 4] }])
    expect(data.compile('remap.config', 'servers', 20).text).to.contain('//a2.vod.')
    expect(data.fragments.made - before).to.equal(0)
  })
})

describe('addresses', () => {
  const text = (source: string): string | null => {
    const range = parseRange(source)
    return range && `${rangeText(range)} ${netText(range)}`
  }

  it('reads addresses, nets and ranges', () => {
    const read: [string, string | null][] = [
      ['192.0.2.1', '192.0.2.1 192.0.2.1'],
      ['192.0.2.77/24', '192.0.2.0-192.0.2.255 192.0.2.0/24'],
      ['10.0.0.1-10.0.0.3', '10.0.0.1-10.0.0.3 10.0.0.1-10.0.0.3'],
      ['::', ':: ::'],
      ['::1', '::1 ::1'],
      ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1 2001:db8::1:0:0:1'],
      ['2001:db8::/126', '2001:db8::-2001:db8::3 2001:db8::/126'],
      ['::ffff:192.0.2.1', '::ffff:c000:201 ::ffff:c000:201'],
      ['0.0.0.0/0', '0.0.0.0-255.255.255.255 0.0.0.0/0'],
    ]
    for (const [source, want] of read) expect(text(source), source).to.equal(want)
    for (const bad of [
      '',
      '1.2.3',
      '1.2.3.256',
      '1.2.3.4/33',
      '1.2.3.4/',
      ':::',
      '1::2::3',
      '2-1',
      '1.1.1.2-1.1.1.1',
      'g::',
      '::1-1.1.1.1',
    ]) {
      expect(parseRange(bad), bad).to.equal(null)
    }
  })

  it('coalesces without letting anybody out, and joins what touches', () => {
    const byte = fc.integer({ min: 0, max: 40 })
    fc.assert(
      fc.property(
        fc.array(byte, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 26, max: 32 }),
        (bytes, length) => {
          const ranges = bytes.map((last) => parseRange(`192.0.2.${last}`)!)
          const nets = coalesced(ranges, { length, number: 3 })
          for (const { first } of ranges)
            expect(nets.some((net) => net.first <= first && first <= net.last)).to.equal(true)
          const joined = joinedRanges(nets)
          for (const [i, range] of joined.entries())
            if (i > 0) expect(range.first > joined[i - 1]!.last + 1n).to.equal(true)
          const size = (all: typeof nets) => all.reduce((sum, { first, last }) => sum + last - first + 1n, 0n)
          expect(size(joined)).to.equal(size(nets))
        },
      ),
    )
  })
})

describe('text', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r',
    '\t',
    '\0',
    '__RETURN__',
    '__RET',
    'URN__',
    '\u2028',
    '\u0085',
    "'",
    '\u0001',
  )
  const texts = fc.array(pieces).map((parts) => parts.join(''))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const breaking = /[\u0000-\u0008\n-\u001f\u007f-\u009f\u2028\u2029]|__RETURN__/

  it('is one line, whatever it was', () => {
    fc.assert(fc.property(texts, (value) => !breaking.test(oneLine(value))))
    fc.assert(fc.property(texts, (value) => oneLine(oneLine(value)) === oneLine(value)))
  })

  it('has new lines only for __RETURN__, which eats the white space around it', () => {
    expect(returnLines('a \t__RETURN__\n b\nc')).to.deep.equal(['a', 'b c'])
    fc.assert(fc.property(texts, (value) => returnLines(value).every((line) => !breaking.test(line))))
  })

  it('stays within YAML quotes', () => {
    expect(yamlQuoted("it's\n- evil: yes")).to.equal("'it''s - evil: yes'")
  })
})
