import { expect } from 'chai'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { seed } from '../api/records/seed.js'
import { danglingReferences, repeatedKeys } from './references.js'

describe('the sample CDN', () => {
  it('refers only to what it and the reference rows hold', () => {
    expect(danglingReferences(seed(), sampleCdn)).to.deep.equal([])
  })

  it('repeats no name, address or parameter', () => {
    expect(repeatedKeys(seed(), sampleCdn)).to.deep.equal([])
  })

  it('has every delivery service type and every protocol, query string and range handling', () => {
    const types = seed().types.filter(({ useInTable }) => useInTable === 'deliveryservice')
    const used = <T>(pick: (service: (typeof sampleCdn.deliveryServices)[number]) => T) =>
      new Set(sampleCdn.deliveryServices.map(pick))
    expect([...used(({ type }) => type)]).to.have.members(types.map(({ name }) => name))
    expect([...used(({ protocol }) => protocol)]).to.include.members([0, 1, 2, 3])
    expect([...used(({ qstringIgnore }) => qstringIgnore)]).to.include.members([0, 1, 2])
    expect([...used(({ rangeRequestHandling }) => rangeRequestHandling)]).to.include.members([0, 1, 2, 3])
    expect([...used(({ signingAlgorithm }) => signingAlgorithm)]).to.include.members(['url_sig', 'uri_signing'])
  })

  it('gives every machine a profile and a delivery service profile of its own CDN', () => {
    const cdnOf = new Map([...seed().profiles, ...sampleCdn.profiles].map(({ name, cdnName }) => [name, cdnName]))
    const strangers = [
      ...sampleCdn.servers.filter(({ profile, cdnName }) => cdnOf.get(profile) !== cdnName),
      ...sampleCdn.deliveryServices.filter(
        ({ profileName, cdnName }) => profileName !== null && cdnOf.get(profileName) !== cdnName,
      ),
    ]
    expect(strangers).to.deep.equal([])
  })

  it('uses addresses and names that are reserved for documentation', () => {
    const text = JSON.stringify(sampleCdn)
    const addresses = sampleCdn.servers.map(({ ipAddress }) => ipAddress)
    expect(addresses.filter((address) => !/^(192\.0\.2|198\.51\.100|203\.0\.113)\./.test(address))).to.deep.equal([])
    const hosts = text.match(/https?:\/\/[a-z][a-z0-9.-]+/g) ?? []
    expect(hosts.filter((host) => !/example\.(net|com|org)$/.test(host))).to.deep.equal([])
  })
})
