import { expect } from 'chai'
import { parseRange } from '../compiler/cdn/addresses.js'
import { smallData } from './smallData.js'

interface Rule {
  readonly addresses: string
  readonly denies: boolean
  readonly methods: readonly string[]
}

const line = /^src_ip=(\S+) action=ip_(allow|deny) method=(\S+)$/
const inLines = (text: string): Rule[] =>
  text.split('\n').flatMap((one) => {
    const [, addresses = '', action, methods = ''] = line.exec(one) ?? []
    return action === undefined ? [] : [{ addresses, denies: action === 'deny', methods: methods.split('|') }]
  })
const entry = /ip_addrs: (\S+)\n +action: (allow|deny)\n +methods:\n((?: +- \w+\n?)+)/g
const inYaml = (text: string): Rule[] =>
  [...text.matchAll(entry)].map(([, addresses = '', action, methods = '']) => {
    return { addresses, denies: action === 'deny', methods: methods.match(/\w+/g) ?? [] }
  })

/** As the cache server decides: by the first rule for the address; one that denies some methods allows the rest. */
function allows(rules: readonly Rule[], address: string, method: string): boolean {
  const { family, first } = parseRange(address)!
  const rule = rules.find(({ addresses }) => {
    const range = parseRange(addresses)!
    return range.family === family && range.first <= first && first <= range.last
  })
  const isNamed = rule!.methods.includes('ALL') || rule!.methods.includes(method)
  return rule!.denies ? !isNamed : isNamed
}

describe('who may ask a cache for what', () => {
  const [edge, mid, purger] = [1, 2, '198.51.100.200']
  const parameter = { id: 900, name: 'purge_allow_ip', configFile: 'ip_allow.config', value: purger, secure: false }
  const data = smallData(['parameters', { ...parameter, profiles: [1, 2] }])
  const forms = { 'ip_allow.config': inLines, 'ip_allow.yaml': inYaml } as const
  // A child cache, private nets, the world; both families.
  const asking = { child: '192.0.2.11', private: '10.1.2.3', world: '203.0.113.9', world6: '2001:db8:ffff::1' }

  for (const [file, rulesOf] of Object.entries(forms)) {
    const may = (server: number, address: string) => {
      const rules = rulesOf(data.compile(file, 'servers', server).text)
      const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'PUSH', 'PURGE']
      return methods.filter((method) => allows(rules, address, method)).join(' ')
    }

    it(`is for the machine itself and who may purge: everything (${file})`, () => {
      for (const server of [edge, mid]) {
        for (const address of ['127.0.0.1', '::1', purger])
          expect(may(server, address)).to.equal('GET HEAD POST DELETE PUSH PURGE')
      }
    })

    it(`is on mids for children and private nets all but PUSH and PURGE, for others nothing (${file})`, () => {
      const all = Object.entries(asking).map(([who, address]) => [who, may(mid, address)])
      const rest = 'GET HEAD POST DELETE'
      expect(Object.fromEntries(all)).to.deep.equal({ child: rest, private: rest, world: '', world6: '' })
    })

    it(`is on edges for everybody all but PUSH, PURGE and DELETE (${file})`, () => {
      for (const address of Object.values(asking)) expect(may(edge, address)).to.equal('GET HEAD POST')
    })
  }
})
