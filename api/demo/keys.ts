import { randomBytes, randomUUID } from 'node:crypto'
import { makeUrlSigKeys } from '../operations/keys/urlSig.js'
import type { Parts } from '../operations/parts.js'
import { system } from '../schema/privileges.js'

/** Keys for the sample's signed services: made here, because a sample must not ship any. */
export async function makeSampleKeys({ committer, vault }: Pick<Parts, 'committer' | 'vault'>): Promise<void> {
  await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    for (const { id, xmlId, signingAlgorithm } of transaction.data.all('deliveryServices')) {
      if (signingAlgorithm === 'url_sig' && !transaction.data.get('urlSigKeys', id)) {
        transaction.create('urlSigKeys', { sealed: vault.seal(JSON.stringify(makeUrlSigKeys())) }, id)
      }
      if (signingAlgorithm === 'uri_signing' && !transaction.data.get('uriSigningKeys', id)) {
        transaction.create('uriSigningKeys', { sealed: vault.seal(uriSigningDocument(xmlId)) }, id)
      }
    }
    transaction.log('Made signing keys for the sample CDN')
  })
}

function uriSigningDocument(xmlId: string): string {
  const key = { alg: 'HS256', kid: `${xmlId}-1`, kty: 'oct', k: randomBytes(32).toString('base64url') }
  return JSON.stringify({ [`${xmlId}.example.net`]: { renewal_kid: key.kid, keys: [key] } })
}
