import { expect } from 'chai'
import type { Reader } from '../compiler/core/reader.js'
import { recorder } from '../compiler/core/readSet.js'
import { snapshotFaults } from '../compiler/snapshots/consistent.js'
import { dataOf } from './goldenCases.js'
import { typeId } from './smallCdn.js'
import type { Changes } from './snapshotDocuments.js'
import { altered, caseOf, parameter } from './snapshotDocuments.js'

const [vod, tv] = [1, 2]
const [edge, router, monitor] = [1, 5, 4]

/** What the small CDN needs beyond its files' needs before it can be frozen. */
const complete: Changes = [
  parameter(201, monitor, 'rascal-config.txt', 'health.polling.interval', '8000'),
  parameter(202, router, 'CRConfig.json', 'coveragezone.polling.url', 'http://maps.example.net/cz.json'),
  parameter(203, router, 'CRConfig.json', 'geolocation.polling.url', 'http://maps.example.net/geo.mmdb'),
]

/** `code record` of every fault, in order. */
function faultsOf(...changes: Changes): string[] {
  const workingSet = dataOf(caseOf('CRConfig', [...complete, ...changes]))
  const { data } = recorder<Reader>(workingSet, { grain: 'seen' })
  return snapshotFaults(data, data.get('cdns', 1)!).map(({ code, record }) => `${code} ${record.name}`)
}

const regex = (id: number, deliveryServiceId: number, pattern: string, setNumber = 1): Changes[number] =>
  ({
    kind: 'deliveryServiceRegexes',
    record: { id, deliveryServiceId, typeId: typeId('HOST_REGEXP'), pattern, setNumber },
  }) as Changes[number]

describe('the consistency gate', () => {
  const cases: [what: string, changes: Changes, faults: string[]][] = [
    ['nothing wrong', [], []],
    ['a server of an unknown cache group', [altered('servers', 1, { cachegroupId: 99 })], ['dangling-reference a1']],
    ['a server of an unknown profile', [altered('servers', 2, { profileId: 99 })], ['dangling-reference m1']],
    ['a service of an unknown type', [altered('deliveryServices', vod, { typeId: 99 })], ['dangling-reference vod']],
    [
      'a service of an unknown profile',
      [altered('deliveryServices', vod, { profileId: 99 })],
      ['dangling-reference vod'],
    ],
    [
      'an unknown service on a server',
      [altered('deliveryServiceServers', 1, { deliveryServices: [1, 77] })],
      ['dangling-reference a1'],
    ],
    [
      "another CDN's service on a server",
      [altered('deliveryServiceServers', 1, { deliveryServices: [1, 5] })],
      ['foreign-service a1'],
    ],
    [
      'a static DNS entry of an unknown type',
      [altered('staticDnsEntries', 1, { typeId: 99 })],
      ['dangling-reference vod'],
    ],
    ['two caches of one name', [altered('servers', 2, { hostName: 'm2' })], ['duplicate-host-name m2']],
    [
      'a service without match set',
      [{ kind: 'deliveryServiceRegexes', id: tv, remove: true }],
      ['service-without-match-set tv'],
    ],
    [
      'the same for one that is not active',
      [{ kind: 'deliveryServiceRegexes', id: tv, remove: true }, altered('deliveryServices', tv, { active: false })],
      [],
    ],
    ['a regex that is none', [regex(101, tv, 'tv(')], ['unparsable-regex tv']],
    ['one wildcard twice', [regex(101, tv, '.*\\.vod\\..*')], ['duplicate-host tv']],
    [
      'one literal host twice',
      [regex(101, tv, 'www\\.example\\.org'), regex(102, vod, 'www.example.org')],
      ['duplicate-host tv'],
    ],
    ['a literal host below a wildcard', [regex(101, tv, 'x.vod.orb.example.net')], ['duplicate-host tv']],
    ['a literal host beside a wildcard', [regex(101, tv, 'vod.orb.example.net')], []],
    ['a host of its own twice in one service', [regex(101, tv, '.*\\.tv\\..*')], []],
    [
      'a comparator of two characters',
      [parameter(101, edge, 'rascal.properties', 'health.threshold.x', '>=3')],
      ['unparsable-threshold health.threshold.x'],
    ],
    [
      'a threshold that is no number',
      [parameter(101, edge, 'rascal.properties', 'health.threshold.x', 'low')],
      ['unparsable-threshold health.threshold.x'],
    ],
    [
      'a timeout that is no number',
      [parameter(101, edge, 'rascal.properties', 'health.connection.timeout', '2s')],
      ['unparsable-threshold health.connection.timeout'],
    ],
    [
      'thresholds of every good form',
      ['1', '>1.5', '<25', '=3', '-1', '1e3'].map((value, i) =>
        parameter(101 + i, edge, 'rascal.properties', `health.threshold.${i}`, value),
      ),
      [],
    ],
    ['a missing polling interval', [{ kind: 'parameters', id: 201, remove: true }], ['missing-interval orb']],
    ['an interval that is no number', [altered('parameters', 18, { value: '1s' })], ['missing-interval orb']],
    ['a missing map of clients', [{ kind: 'parameters', id: 202, remove: true }], ['missing-setting orb']],
    [
      'profiles that disagree',
      [parameter(101, edge, 'CRConfig.json', 'tld.soa.admin', 'somebody')],
      ['conflicting-parameters tld.soa.admin'],
    ],
    ['no edge in use', [altered('servers', 1, { statusId: 3 })], ['no-edge orb']],
    ['no router', [{ kind: 'servers', id: 8, remove: true }], ['no-router orb']],
    ['no monitor', [{ kind: 'servers', id: 7, remove: true }], ['no-monitor orb']],
  ]
  for (const [what, changes, faults] of cases) {
    it(`${faults.length === 0 ? 'accepts' : 'refuses'} ${what}`, () => expect(faultsOf(...changes)).eql(faults))
  }

  it('lists every fault, not the first', () => {
    expect(
      faultsOf(
        altered('servers', 1, { profileId: 99 }),
        altered('servers', 7, { cachegroupId: 99 }),
        regex(101, tv, '.*\\.vod\\..*'),
      ),
    ).eql(['dangling-reference a1', 'dangling-reference mon', 'duplicate-host tv'])
  })

  it('refuses a CDN that has nothing yet', () => {
    const none = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ kind: 'servers', id, remove: true }) as const)
    expect(faultsOf(...none)).eql(['no-edge orb', 'no-router orb', 'no-monitor orb'])
  })
})
