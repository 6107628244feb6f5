// The X.509 library's containers ask for it, and it must be there first.
import 'reflect-metadata'

import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate made for a test, with the key it was made for. */
export interface Issued {
  readonly certificate: X509Certificate
  readonly keys: webcrypto.CryptoKeyPair
  /** PEM texts. */
  readonly crt: string
  readonly key: string
}

interface Wish {
  readonly name: string
  /** Signs itself without one. */
  readonly by?: Issued
  readonly hosts?: readonly string[]
  readonly from?: string
  readonly to?: string
}

const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }

/** An authority's or a server's certificate: the latter when it names hosts. Elliptic curve, since that is quick. */
export async function issue({ name, by, hosts, from = '2026-01-01', to = '2036-01-01' }: Wish): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const alternative = hosts && new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value })))
  const certificate = await X509CertificateGenerator.create(
    {
      subject: `CN=${name}`,
      issuer: by?.certificate.subject ?? `CN=${name}`,
      publicKey: keys.publicKey,
      signingKey: (by?.keys ?? keys).privateKey,
      signingAlgorithm,
      notBefore: new Date(from),
      notAfter: new Date(to),
      extensions: [new BasicConstraintsExtension(hosts === undefined), ...(alternative ? [alternative] : [])],
    },
    webcrypto,
  )
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g)!.join('\n')
  return {
    certificate,
    keys,
    crt: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  }
}
