import { expect } from 'chai'
import fc from 'fast-check'
import { uriSigningFaults } from '../../api/operations/keys/uriSigning.js'
import { makeUrlSigKeys } from '../../api/operations/keys/urlSig.js'

describe('URL signing keys', () => {
  it('are sixteen, of 32 characters, none like another', () => {
    const keys = makeUrlSigKeys()
    expect(Object.keys(keys)).to.deep.equal(Array.from({ length: 16 }, (_, number) => `key${number}`))
    for (const key of Object.values(keys)) expect(key).to.match(/^[A-Za-z0-9_]{32}$/)
    expect(new Set([...Object.values(keys), ...Object.values(makeUrlSigKeys())])).to.have.property('size', 32)
  })
})

describe('URI signing keys', () => {
  const key = (kid: string, changes = {}) => ({ alg: 'HS256', kid, kty: 'oct', k: 'c2VjcmV0LXNlY3JldA', ...changes })
  const document = (issuers: object) => uriSigningFaults(JSON.stringify(issuers)).map(({ text }) => text)

  it('pass when one issuer names the key that renews', () => {
    expect(document({ 'Example Issuer': { renewal_kid: 'k2', keys: [key('k1'), key('k2')] } })).to.deep.equal([])
    expect(document({ one: { keys: [key('k1')] }, two: { renewal_kid: 'k1', keys: [key('k1')] } })).to.deep.equal([])
    expect(document({ rsa: { renewal_kid: 'k', keys: [{ alg: 'RS256', kid: 'k', kty: 'RSA', n: 'AQ' }] } })).to.eql([])
  })

  const others: [string, object, RegExp][] = [
    ['no issuer', {}, /names no issuer/],
    ['an issuer without name', { '': { renewal_kid: 'k', keys: [key('k')] } }, /must have a name/],
    ['no renewal_kid', { one: { keys: [key('k')] } }, /Exactly one issuer must have a renewal_kid; there are 0/],
    [
      'two renewal_kids',
      { one: { renewal_kid: 'k', keys: [key('k')] }, two: { renewal_kid: 'k', keys: [key('k')] } },
      /there are 2/,
    ],
    ['a renewal_kid of no key', { one: { renewal_kid: 'x', keys: [key('k')] } }, /renewal_kid x is not the kid/],
    [
      'a renewal_kid of another issuer',
      { one: { renewal_kid: 'l', keys: [key('k')] }, two: { keys: [key('l')] } },
      /Issuer one: renewal_kid l is not the kid of one of its keys/,
    ],
    ['no keys', { one: { renewal_kid: 'k', keys: [] } }, /at least one key/],
    ['keys that are no array', { one: { renewal_kid: 'k', keys: { k: key('k') } } }, /must be an array/],
    ['an issuer that is no object', { one: 5 }, /must be an array/],
    ['a key that is no object', { one: { renewal_kid: 'k', keys: [key('k'), 5] } }, /key 2: must be a JSON Web Key/],
    ['a key without alg', { one: { renewal_kid: 'k', keys: [key('k', { alg: '' })] } }, /key 1: alg must not be empty/],
    [
      'a kid that is a number',
      { one: { renewal_kid: 'k', keys: [key('k', { kid: 5 })] } },
      /key 1: kid must be a string/,
    ],
    ['a secret that is not base64url', { one: { renewal_kid: 'k', keys: [key('k', { k: 'a+b/' })] } }, /k must be/],
    ['one kid twice', { one: { renewal_kid: 'k', keys: [key('k'), key('k')] } }, /two keys have the same kid/],
  ]
  for (const [what, issuers, text] of others)
    it(`are refused for ${what}`, () => {
      expect(document(issuers).join('\n')).to.match(text)
    })

  it('are refused when they are no JSON object, or too large', () => {
    for (const text of ['', '{', '[]', '"text"', 'null', '5'])
      expect(uriSigningFaults(text)[0]?.text, text).to.match(/must be a JSON object/)
    expect(uriSigningFaults(' '.repeat(300_000))[0]?.text).to.match(/larger than/)
  })

  it('never hold a secret in what is said about them', () => {
    const secret = 'T3ZlcmhlYXJkU2VjcmV0'
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('alg', 'kid', 'kty', 'keys'), (json, field) => {
        const value = JSON.parse(json)
        const broken = { one: { renewal_kid: 'k', keys: [{ ...key('k', { k: secret }), [field]: value }] } }
        return uriSigningFaults(JSON.stringify(broken)).every(({ text }) => !text.includes(secret))
      }),
    )
  })
})
