import { expect } from 'chai'
import fc from 'fast-check'
import { UpstreamFault } from '../../api/operations/upstream/fetchJson.js'
import { readCacheStats, readServiceStats, readStates } from '../../api/operations/upstream/monitorDocuments.js'
import { noCounts, readRouterStats } from '../../api/operations/upstream/routerDocument.js'

const series = (value: unknown) => [{ value, time: 1795258270010, span: 1 }]
const readers = { readStates, readCacheStats, readServiceStats, readRouterStats }

describe('what a monitor says of states', () => {
  it('is read by host name and xml id', () => {
    const { caches, services, ignored } = readStates({
      caches: { 'edge-1': { isAvailable: true }, 'edge-2': { isAvailable: false } },
      deliveryServices: { news: { isAvailable: false, disabledLocations: ['east'] } },
    })
    expect([...caches]).to.deep.equal([
      ['edge-1', true],
      ['edge-2', false],
    ])
    expect([...services]).to.deep.equal([['news', { isAvailable: false, disabledLocations: ['east'] }]])
    expect(ignored).to.equal(0)
  })

  it('is left out where it cannot be read', () => {
    const { caches, services, ignored } = readStates({
      caches: { a: { isAvailable: true }, b: { isAvailable: 'true' }, c: null, d: { isAvailable: 1 }, e: [] },
      deliveryServices: {
        news: { isAvailable: true, disabledLocations: ['east', 5, null] },
        vod: { isAvailable: true, disabledLocations: 'east' },
      },
    })
    expect([...caches.keys()]).to.deep.equal(['a'])
    expect(services.get('news')!.disabledLocations).to.deep.equal(['east'])
    expect(ignored).to.equal(5)
  })

  it('may lack services', () => {
    expect(readStates({ caches: {} }).services.size).to.equal(0)
  })

  it('pollutes nothing by its keys', () => {
    const { caches } = readStates(JSON.parse('{"caches":{"__proto__":{"isAvailable":true},"constructor":5}}'))
    expect([...caches]).to.deep.equal([['__proto__', true]])
    expect(({} as { isAvailable?: unknown }).isAvailable).to.equal(undefined)
    expect(() => readStates(JSON.parse('{"__proto__":{"caches":{}}}'))).to.throw(UpstreamFault)
  })
})

describe('what a monitor says of loads', () => {
  it('is read from text, the newest value of each series', () => {
    const { caches } = readCacheStats({
      caches: {
        edge: {
          kbps: [...series('1500.5'), ...series('7')],
          maxKbps: series('20000000'),
          'ats.proxy.process.http.current_client_connections': series('12'),
        },
        plain: { kbps: series(3), maxKbps: series(4) },
      },
    })
    expect(caches.get('edge')).to.deep.equal({ kbps: 1500.5, maxKbps: 20_000_000, connections: 12 })
    expect(caches.get('plain')).to.deep.equal({ kbps: 3, maxKbps: 4, connections: 0 })
  })

  const unreadable = [
    '',
    ' ',
    'NaN',
    'Infinity',
    '-5',
    '1e999',
    '0x10',
    '1,5',
    '9'.repeat(400),
    -1,
    1e300,
    null,
    {},
    [],
  ]
  for (const value of unreadable)
    it(`takes ${JSON.stringify(value)?.slice(0, 20)} for no number`, () => {
      const good = { kbps: series('1'), maxKbps: series('2') }
      const { caches, ignored } = readCacheStats({ caches: { good, bad: { ...good, kbps: series(value) } } })
      expect([...caches.keys()]).to.deep.equal(['good'])
      expect(ignored).to.equal(1)
    })

  it('is a fault when no entry can be read at all', () => {
    expect(() => readCacheStats({ caches: { edge: { kbps: 5 } } })).to.throw(UpstreamFault, 'no entry can be read')
  })

  it('has the requests of each service under its total', () => {
    const { tps, ignored } = readServiceStats({
      deliveryService: {
        news: { 'total.tps_total': series('12'), 'location.east.tps_total': series('99') },
        vod: { 'total.kbps': series('1') },
      },
    })
    expect([...tps]).to.deep.equal([['news', 12]])
    expect(ignored).to.equal(1)
  })
})

describe('what a router says', () => {
  it('is read by host name, absent counters as 0', () => {
    const { dns, http } = readRouterStats({
      app: {},
      stats: { dnsMap: { 'a.example.net': { czCount: 3, geoCount: '2' } }, httpMap: {}, totalDnsCount: 5 },
    })
    expect(dns.get('a.example.net')).to.deep.equal({ ...noCounts, cz: 3, geo: 2 })
    expect(http.size).to.equal(0)
  })

  it('is 0 where it cannot be counted', () => {
    const { http, ignored } = readRouterStats({
      stats: { httpMap: { a: { czCount: -1, geoCount: 'x', missCount: 1 }, b: null } },
    })
    expect(http.get('a')).to.deep.equal({ ...noCounts, miss: 1 })
    expect(http.get('b')).to.deep.equal(noCounts)
    expect(ignored).to.equal(2)
  })
})

for (const [name, read] of Object.entries(readers))
  describe(`${name}, given anything`, () => {
    const keys = fc.constantFrom(
      'caches',
      'deliveryServices',
      'deliveryService',
      'stats',
      'httpMap',
      'kbps',
      '__proto__',
    )
    const anything = fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.dictionary(fc.string(), fc.jsonValue())))

    it('reads it or calls it a fault', () => {
      fc.assert(
        fc.property(anything, (document) => {
          try {
            read(JSON.parse(JSON.stringify(document)))
          } catch (error) {
            if (!(error instanceof UpstreamFault)) throw error
          }
        }),
      )
    })

    for (const document of [null, 5, 'text', [], {}, { caches: [] }, { deliveryService: 5 }, { stats: [] }])
      it(`refuses ${JSON.stringify(document)}`, () => {
        expect(() => read(document)).to.throw(UpstreamFault)
      })
  })
