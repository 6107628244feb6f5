import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import type { Extension } from '@peculiar/x509'
import type { Fault } from '../../config/errors.js'
import { isHostName } from '../../config/hostNames.js'
import type { MakeRsa, RsaKey } from './keyMaker.js'
import { x509 } from './x509.js'

/** Whom a certificate names. */
export interface Subject {
  readonly hostname: string
  /** Two letters, ISO 3166. */
  readonly country: string
  readonly state: string
  readonly city: string
  readonly organization: string
  readonly businessUnit: string
}

/** What a certificate cannot name; empty when all is well. */
export function subjectFaults(subject: Subject): Fault[] {
  const faults: Fault[] = []
  if (!isHostName(subject.hostname))
    faults.push({ path: 'hostname', text: 'hostname must be a host name; its first label may be *' })
  if (!/^[A-Za-z]{2}$/.test(subject.country))
    faults.push({ path: 'country', text: 'country must be a code of two letters' })
  for (const [field, longest] of lengths)
    if (
      subject[field].trim() === '' ||
      subject[field].length > longest ||
      /[\p{Cc}\p{Surrogate}]/u.test(subject[field])
    )
      faults.push({ path: field, text: `${field} must be text of 1 to ${longest} characters on one line` })
  return faults
}

/**
 * A new RSA key of 2048 bits with a self-signed certificate of 365 days for it, and a request by which an authority
 * can sign a better one. PEM texts.
 *
 * @param now milliseconds since 1970
 */
export async function makeCertificate(
  subject: Subject,
  now: number,
  makeRsa: MakeRsa,
): Promise<{ crt: string; key: string; csr: string; expiration: string }> {
  const key = await makeRsa(2048)
  const keys = await webKeys(key)
  const name = distinguishedName(subject)
  const extensions = extensionsFor(subject.hostname)
  const notBefore = new Date(Math.floor(now / 1000) * 1000)
  const notAfter = new Date(notBefore.getTime() + lifetimeDays * 86_400_000)

  const certificate = await x509().X509CertificateGenerator.createSelfSigned(
    { name, keys, extensions, notBefore, notAfter, signingAlgorithm, serialNumber: serialNumber() },
    webcrypto,
  )
  const request = await x509().Pkcs10CertificateRequestGenerator.create(
    { name, keys, extensions, signingAlgorithm },
    webcrypto,
  )
  return {
    crt: `${certificate.toString('pem')}\n`,
    key: createPrivateKey({ key: { kty: 'RSA', ...key }, format: 'jwk' })
      .export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    csr: `${request.toString('pem')}\n`,
    expiration: notAfter.toISOString(),
  }
}

const lifetimeDays = 365
const signingAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Upper bounds of X.520. */
const lengths = [
  ['state', 128],
  ['city', 128],
  ['organization', 64],
  ['businessUnit', 64],
] as const

/** As typed attributes, not as text, in which a quote or a comma would mean something. */
function distinguishedName({ hostname, country, state, city, organization, businessUnit }: Subject) {
  const name = [
    { C: [{ printableString: country.toUpperCase() }] },
    { ST: [{ utf8String: state }] },
    { L: [{ utf8String: city }] },
    { O: [{ utf8String: organization }] },
    { OU: [{ utf8String: businessUnit }] },
  ]
  // A common name holds 64 characters; the alternative name says it anyway.
  const { Name } = x509()
  return new Name(hostname.length <= 64 ? [...name, { CN: [{ utf8String: hostname }] }] : name)
}

function extensionsFor(hostname: string): Extension[] {
  const {
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
  } = x509()
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension([{ type: 'dns', value: hostname }]),
  ]
}

async function webKeys(key: RsaKey): Promise<webcrypto.CryptoKeyPair> {
  const { n, e } = key
  const read = (jwk: webcrypto.JsonWebKey, use: 'sign' | 'verify') =>
    webcrypto.subtle.importKey('jwk', { kty: 'RSA', ...jwk }, signingAlgorithm, true, [use])
  return { privateKey: await read({ ...key }, 'sign'), publicKey: await read({ n, e }, 'verify') }
}

/** RFC 5280: positive, unpredictable, at most 20 bytes. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex')
}
