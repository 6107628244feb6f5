import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { seed } from '../api/records/seed.js'
import { kinds } from '../compiler/data/model.js'
import type { FleetOptions } from './fleet.js'
import { fleetDocument, fleetRecords } from './fleet.js'
import { fleetSizes } from './fleetSizes.js'
import { danglingReferences, repeatedKeys } from './references.js'

const hash = (options: FleetOptions) =>
  createHash('sha256')
    .update(JSON.stringify(fleetDocument(options)))
    .digest('hex')

/** Assigned pairs, and pairs that a whole cache group has, per possible pair of an edge and a service. */
function shares(options: FleetOptions) {
  const { servers, deliveryServices, deliveryServiceServers } = fleetDocument(options)
  const edges = servers.filter(({ type }) => type === 'EDGE')
  const of = new Map(deliveryServiceServers.map((row) => [row.server, new Set(row.deliveryServices)]))
  const possible = edges.length * deliveryServices.length
  const assigned = edges.reduce((sum, { hostName }) => sum + of.get(hostName)!.size, 0)
  const common = edges.reduce((sum, edge) => {
    const neighbours = edges.filter(({ cachegroup }) => cachegroup === edge.cachegroup)
    const everywhere = [...of.get(edge.hostName)!].filter((xmlId) =>
      neighbours.every(({ hostName }) => of.get(hostName)!.has(xmlId)),
    )
    return sum + everywhere.length
  }, 0)
  return { assigned: assigned / possible, common: common / assigned }
}

describe('the fleet generator', () => {
  it('gives the same bytes for the same seed and others for another', () => {
    expect(hash({ size: 'M', seed: 7 })).to.equal(hash({ size: 'M', seed: 7 }))
    expect(hash({ size: 'M', seed: 7 })).not.to.equal(hash({ size: 'M', seed: 8 }))
  })

  for (const name of ['S', 'M', 'L', 'XL'] as const) {
    it(`has as many records as fleet ${name} names`, () => {
      const size = fleetSizes[name]
      const fleet = fleetDocument({ size: name })
      expect(fleet.servers).to.have.length(size.servers)
      expect(fleet.cachegroups).to.have.length(size.cachegroups)
      expect(fleet.deliveryServices).to.have.length(size.services)
      expect(fleet.profiles).to.have.length(size.profiles)
      expect(fleet.tenants).to.have.length(size.tenants)
    })
  }

  it('refers only to what it and the reference rows hold, and repeats no key', () => {
    const fleet = fleetDocument({ size: 'L' })
    expect(danglingReferences(seed(), fleet)).to.deep.equal([])
    expect(repeatedKeys(seed(), fleet)).to.deep.equal([])
  })

  it('assigns the share of pairs it is asked for', () => {
    for (const share of [0.01, 0.1, 0.5]) {
      expect(shares({ size: 'M', share }).assigned).to.be.closeTo(share, 0.002)
    }
  })

  it('makes the servers of a cache group as alike as it is asked to', () => {
    expect(shares({ size: 'M', alike: 1 }).common).to.equal(1)
    expect(shares({ size: 'M', alike: 0.5 }).common).to.be.closeTo(0.5, 0.05)
    expect(shares({ size: 'M', alike: 0 }).common).to.be.below(0.1)
  })

  it('lists about 25 files and has about 150 parameters per cache profile', () => {
    const { parameters, profiles } = fleetDocument({ size: 'L' })
    const caches = profiles.filter(({ name }) => name.startsWith('EDGE_ATS9_'))
    const links = (only: (name: string) => boolean) =>
      parameters.filter(({ name }) => only(name)).reduce((sum, { profiles: of }) => sum + of.length, 0) /
      profiles.length
    expect(links(() => true)).to.be.within(110, 170)
    for (const { name } of caches) {
      const files = parameters.filter((parameter) => parameter.name === 'location' && parameter.profiles.includes(name))
      expect(files.length).to.be.within(20, 40)
    }
  })

  it('gives records with every field a compile may read', () => {
    const records = fleetRecords({ size: 'S' })
    for (const [kind, rows] of Object.entries(records)) {
      const { fields } = kinds[kind as keyof typeof kinds] ?? { fields: {} }
      for (const row of rows) expect(row, `${kind} ${row.id}`).to.include.all.keys('id', ...Object.keys(fields))
    }
  })
})
