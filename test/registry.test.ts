import { expect } from 'chai'
import { cdnFile, defineConfigFile, profileFile, serverFile } from '../compiler/core/defineFile.js'
import type { Reader } from '../compiler/core/reader.js'
import { recorder } from '../compiler/core/readSet.js'
import { createRegistry, scopeOf } from '../compiler/core/registry.js'
import { modelSchema } from '../compiler/data/model.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

const view = () => ({})
const file = (name: string | RegExp) => cdnFile({ name, template: 'any', view })

describe('the registry of config files', () => {
  it('prefers an exact name to a pattern', () => {
    const [exact, pattern] = [file('cacheurl_qstring.config'), file(/^cacheurl_(?<xmlId>.+)\.config$/)]
    const { resolve } = createRegistry([pattern, exact])
    expect(resolve('cacheurl_qstring.config')).to.deep.include({ definition: exact, parts: {} })
    expect(resolve('cacheurl_vod.config')).to.deep.include({ definition: pattern, parts: { xmlId: 'vod' } })
  })

  it('gives the named parts, empty when an optional one is absent', () => {
    const { resolve } = createRegistry([file(/^hdr_rw_(?<tier>mid_)?(?<xmlId>.+)\.config$/)])
    expect(resolve('hdr_rw_mid_vod.config')?.parts).to.deep.equal({ tier: 'mid_', xmlId: 'vod' })
    expect(resolve('hdr_rw_vod.config')?.parts).to.deep.equal({ tier: '', xmlId: 'vod' })
  })

  it('refuses two definitions of one name', () => {
    expect(() => createRegistry([file('a'), file('a')])).to.throw('two definitions claim the file name a')
  })

  it('refuses two patterns for one name, at the start where probing shows it', () => {
    const overlapping = [file(/^hdr_rw_(?<xmlId>.+)\.config$/), file(/^hdr_rw_mid_(?<xmlId>.+)\.config$/)]
    expect(() => createRegistry(overlapping)).to.throw(/both claim hdr_rw_mid_x\.config/)
    const hidden = createRegistry([file(/^(?<a>[qz]+)_file$/), file(/^(?<b>z+)_file$/)])
    expect(() => hidden.resolve('z_file')).to.throw('both claim z_file')
    expect(hidden.resolve('qz_file')?.parts).to.deep.equal({ a: 'qz' })
  })

  it('refuses a pattern that is open at an end', () => {
    expect(() => createRegistry([file(/^set_dscp_\d+/)])).to.throw('must be anchored at both ends')
  })

  it('leaves other names to the fallback, if there is one', () => {
    const fallback = file(/^.+$/)
    expect(createRegistry([], fallback).resolve('x')).to.deep.equal({ definition: fallback, parts: {}, listed: false })
    expect(createRegistry([]).resolve('x')).to.equal(null)
  })
})

describe('the scope of a file', () => {
  const set = new WorkingSet(modelSchema)
  const parameter = (id: number, name: string, configFile: string, value: string) => ({
    kind: 'parameters',
    record: { id, name, configFile, value, profiles: [1] },
    revision: 1,
  })
  set.load(1, [parameter(1, 'scope', 'motd', 'cdns'), parameter(2, 'scope', 'odd', 'galaxy')])
  const { data } = recorder<Reader>(set, { grain: 'seen' })
  const cache = defineConfigFile({
    name: 'cache.config',
    views: { servers: view, profiles: view },
    listedScope: (type) => (type.startsWith('MID') ? 'servers' : 'profiles'),
  })
  const { resolve } = createRegistry([cache, profileFile({ name: 'p', view })], serverFile({ name: 'any', view }))
  const scope = (name: string, type = 'EDGE') => scopeOf(resolve(name)!, name, type, data)

  it('is what its definition lists for the type of server', () => {
    expect(scope('p')).to.equal('profiles')
    expect([scope('cache.config', 'MID_X'), scope('cache.config')]).to.deep.equal(['servers', 'profiles'])
  })

  it('is said by a parameter when nobody defined the file, else servers', () => {
    expect([scope('motd'), scope('odd'), scope('none')]).to.deep.equal(['cdns', 'servers', 'servers'])
  })
})
