import { expect } from 'chai'
import { drained } from '../api/flow/slices.js'
import type { JsonObject } from '../compiler/snapshots/diff.js'
import { diffDocuments, fieldLimit } from '../compiler/snapshots/diff.js'
import { altered, snapshotOf } from './snapshotDocuments.js'

const diff = (...given: Parameters<typeof diffDocuments>) => drained(diffDocuments(...given))

const all = { offset: 0, limit: 100 }

describe('the difference of two snapshots', () => {
  it('is nothing between equal ones, whoever froze them', () => {
    const { document } = snapshotOf('CRConfig')
    expect(diff({ stats: { date: 1 }, ...document }, { stats: { date: 2 }, ...document }, all)).eql({
      sections: {},
      total: 0,
      changes: [],
    })
  })

  it('counts entries by section and tells the fields that differ', () => {
    const before = snapshotOf('CRConfig').document
    const after = snapshotOf('CRConfig', [
      altered('servers', 1, { ipAddress: '192.0.2.12' }),
      altered('servers', 2, { statusId: 3 }),
      altered('servers', 3, { id: 99, hostName: 'm9' }),
      altered('deliveryServices', 2, { active: false }),
    ]).document
    const { sections, total, changes } = diff(before, after, all)
    expect(sections).eql({
      contentServers: { added: 1, removed: 1, changed: 1 },
      deliveryServices: { added: 0, removed: 1, changed: 0 },
    })
    expect(total).equal(4)
    expect(changes[0]).eql({
      section: 'contentServers',
      name: 'a1',
      kind: 'changed',
      before: null,
      after: null,
      fields: [
        { path: ['ip'], before: '192.0.2.11', after: '192.0.2.12' },
        { path: ['deliveryServices', 'tv'], before: ['play.tv.orb.example.net'], after: null },
      ],
      fieldCount: 2,
    })
    expect(changes.slice(1).map(({ name, kind }) => `${name} ${kind}`)).eql(['m1 removed', 'm9 added', 'tv removed'])
    expect(changes[2]?.after).eql(after.contentServers.m9)
  })

  it('finds the entries of a list by what names them', () => {
    const before = snapshotOf('monitoring').document
    const after = structuredClone(before)
    after.trafficServers.reverse()
    after.profiles[0].parameters['health.threshold.loadavg'] = '30'
    after.deliveryServices.shift()
    const { sections, changes } = diff(before, after, all)
    expect(sections).eql({
      deliveryServices: { added: 0, removed: 1, changed: 0 },
      profiles: { added: 0, removed: 0, changed: 1 },
    })
    expect(changes[1]?.name).equal('EDGE EDGE')
    expect(changes[1]?.fields).eql([{ path: ['parameters', 'health.threshold.loadavg'], before: '25.0', after: '30' }])
  })

  it('gives one page, of one section if asked, and still counts all', () => {
    const entries = (from: number, to: number): JsonObject =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`n${String(from + i).padStart(3, '0')}`, i]))
    const before = { monitors: entries(0, 40), contentServers: entries(0, 10) }
    const after = { monitors: {}, contentServers: {} }
    const page = diff(before, after, { section: 'monitors', offset: 30, limit: 20 })
    expect(page.total).equal(40)
    expect(page.changes.map(({ name }) => name)).eql(Array.from({ length: 10 }, (_, i) => `n0${30 + i}`))
    expect(page.sections.contentServers).eql({ added: 0, removed: 10, changed: 0 })
  })

  it('tells a bounded number of fields of an entry, and how many there are', () => {
    const many = (value: number): JsonObject =>
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, value]))
    const { changes } = diff({ config: { x: many(1) } }, { config: { x: many(2) } }, all)
    expect(changes[0]?.fields).length(fieldLimit)
    expect(changes[0]?.fieldCount).equal(300)
  })

  it('takes names that objects are born with for what they are', () => {
    const before = JSON.parse('{"monitors": {"__proto__": {"a": 1}, "toString": 1}}')
    const after = JSON.parse('{"monitors": {"__proto__": {"a": 2}}}')
    const { sections } = diff(before, after, all)
    expect(sections).eql({ monitors: { added: 0, removed: 1, changed: 1 } })
  })
})
