import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { keyId, parseVaultKey, seal, sealedWith, unseal, VaultError } from '../compiler/core/vault.js'

const key = randomBytes(32)
const nonce = () => randomBytes(12)

describe('vault', () => {
  it('opens what it sealed', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 5000 }))
    fc.assert(fc.property(anyText, (plain) => unseal(key, seal(key, plain, nonce())) === plain))
  })

  it('writes one line that holds nothing of the plain text and never the same twice', () => {
    const first = seal(key, 'a private key', nonce())
    expect(first).to.match(/^v1\.[0-9a-f]{16}\.[\w-]+\.[\w-]+$/)
    expect(Buffer.from(first.split('.')[3]!, 'base64url').toString('latin1')).to.not.include('private')
    expect(first).to.not.equal(seal(key, 'a private key', nonce()))
  })

  it('is the same text for the same nonce', () => {
    const fixed = nonce()
    expect(seal(key, 'text', fixed)).to.equal(seal(key, 'text', fixed))
  })

  it('names both keys when another one is needed', () => {
    const other = randomBytes(32)
    const sealed = seal(other, 'text', nonce())
    expect(() => unseal(key, sealed)).to.throw(
      VaultError,
      `sealed with vault key ${keyId(other)}, but the key in use is ${keyId(key)}`,
    )
    expect(sealedWith(sealed)).to.equal(keyId(other))
  })

  it('refuses a text of which any character was changed', () => {
    const sealed = seal(key, 'text that matters', nonce())
    for (let at = 0; at < sealed.length; at++) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
      // The last digit of base64 may carry unused bits; then the bytes did not change.
      const sameBytes = [2, 3].every((part) =>
        Buffer.from(changed.split('.')[part] ?? '', 'base64url').equals(
          Buffer.from(sealed.split('.')[part]!, 'base64url'),
        ),
      )
      if (sameBytes && at > 20) continue
      expect(() => unseal(key, changed), `character ${at}`).to.throw(VaultError)
    }
  })

  it('refuses a header moved to another key', () => {
    const other = randomBytes(32)
    const sealed = seal(key, 'text', nonce()).replace(keyId(key), keyId(other))
    expect(() => unseal(other, sealed)).to.throw(VaultError, 'damaged or was tampered with')
  })

  for (const text of [
    '',
    'plain text',
    'v1.0123456789abcdef',
    'v2.0123456789abcdef.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
  ])
    it(`knows that ${JSON.stringify(text)} is not sealed`, () => {
      expect(() => unseal(key, text)).to.throw(VaultError, 'not a sealed text')
    })

  it('refuses keys and nonces of other lengths', () => {
    expect(() => seal(randomBytes(16), 'text', nonce())).to.throw(VaultError, '32 bytes, not 16')
    expect(() => seal(key, 'text', randomBytes(16))).to.throw(VaultError, '12 bytes, not 16')
  })

  describe('the key of a setting', () => {
    it('is read from hex, base64 and base64url', () => {
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(Buffer.from(parseVaultKey(` ${key.toString(encoding)}\n`)).equals(key), encoding).to.equal(true)
    })

    it('is derived from a passphrase, the same on every instance', () => {
      const derived = parseVaultKey('correct horse battery staple')
      expect(derived).to.have.length(32)
      expect(keyId(parseVaultKey('correct horse battery staple'))).to.equal(keyId(derived))
      expect(keyId(parseVaultKey('correct horse battery stable'))).to.not.equal(keyId(derived))
    })

    it('is not derived from a short text', () => {
      expect(() => parseVaultKey('short')).to.throw(VaultError, '16 characters or more')
    })
  })
})
