import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import type { Fault } from '../../config/errors.js'
import { quoted } from '../../config/errors.js'
import { covers } from './hostName.js'
import { x509 } from './x509.js'

/** A certificate as a client hands it over. Each text is PEM, or PEM in base64. */
export interface GivenCertificate {
  /** The server's certificate, then those that lead to the authority. */
  readonly crt: string
  readonly key: string
  readonly csr?: string | null
  /** The name the certificate must be good for; may begin with `*.` */
  readonly hostname: string
  /** The names the delivery service answers; `hostname` must be one of them or cover one. Not checked when empty. */
  readonly hosts: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface CheckedCertificate {
  /** PEM texts. */
  readonly crt: string
  readonly key: string
  readonly csr: string | null
  /** When the first certificate of the chain runs out; ISO 8601, UTC. */
  readonly expiration: string
  /** What an operator should know though it is no fault: an authority that browsers do not know. */
  readonly warnings: readonly string[]
}

/**
 * Checks that a certificate can be served: a chain in order, each certificate signed by the next and valid now, the
 * private key and the signing request belonging to the first, and the host name named by it. All faults at once.
 */
export function checkCertificate(given: GivenCertificate): CheckedCertificate | { faults: readonly Fault[] } {
  const faults: Fault[] = []
  const fault = (path: string, text: string) => void faults.push({ path, text })

  const chain = readChain(given.crt, fault)
  const key = readKey(given.key, fault)
  const csr = given.csr ? readRequest(given.csr, fault) : null
  const leaf = chain[0]
  if (leaf !== undefined) {
    checkChain(chain, given.now, fault)
    checkHostName(leaf, given, fault)
    if (key !== null && !leaf.checkPrivateKey(key.key))
      fault('certificate.key', 'The private key does not belong to the certificate.')
    if (csr !== null && !Buffer.from(csr.publicKey.rawData).equals(publicKeyBytes(leaf)))
      fault('certificate.csr', 'The signing request was made for another key than the certificate.')
  }
  if (faults.length > 0 || leaf === undefined || key === null) return { faults }

  const expiration = Math.min(...chain.map((certificate) => Date.parse(certificate.validTo)))
  return {
    crt: chain.map((certificate) => certificate.toString()).join(''),
    key: key.pem,
    csr: csr === null ? null : `${csr.toString('pem')}\n`,
    expiration: new Date(expiration).toISOString(),
    warnings: warningsOf(chain),
  }
}

type Complain = (path: string, text: string) => void

const longest = 64 * 1024
const mostCertificates = 10
const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const keyBlock = /-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----[\s\S]+?-----END \1-----/
const requestBlock = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----[\s\S]+?-----END (?:NEW )?CERTIFICATE REQUEST-----/

/** PEM, from PEM or from base64 around it. */
function pemText(text: string): string {
  if (text.length > longest) return ''
  return text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')
}

function readChain(text: string, fault: Complain): X509Certificate[] {
  const pem = pemText(text)
  if (pem.includes('PRIVATE KEY-----')) {
    fault('certificate.crt', 'The certificate holds a private key; it would be handed to everyone who connects.')
    return []
  }
  const blocks = pem.match(certificateBlock) ?? []
  if (blocks.length === 0 || blocks.length > mostCertificates) {
    fault('certificate.crt', `The certificate must be 1 to ${mostCertificates} certificates in PEM, or that in base64.`)
    return []
  }
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    fault('certificate.crt', 'The certificate cannot be read: what its PEM holds is no X.509 certificate.')
    return []
  }
}

function readKey(text: string, fault: Complain): { pem: string; key: KeyObject } | null {
  const pem = keyBlock.exec(pemText(text))?.[0]
  if (pem === undefined) {
    fault('certificate.key', 'The private key must be one in PEM, or that in base64.')
    return null
  }
  if (pem.includes('ENCRYPTED')) {
    fault('certificate.key', 'The private key is encrypted; routers and caches cannot ask for its passphrase.')
    return null
  }
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec') return { pem: `${pem}\n`, key }
    fault('certificate.key', `A private key of type ${key.asymmetricKeyType} cannot be served; use RSA or EC.`)
  } catch {
    fault('certificate.key', 'The private key cannot be read: what its PEM holds is no private key.')
  }
  return null
}

function readRequest(text: string, fault: Complain): Pkcs10CertificateRequest | null {
  const pem = requestBlock.exec(pemText(text))?.[0]
  try {
    if (pem !== undefined) return new (x509().Pkcs10CertificateRequest)(pem)
  } catch {
    // Said below, as for a text without PEM.
  }
  fault(
    'certificate.csr',
    'The signing request cannot be read; it must be a PKCS #10 request in PEM, or that in base64.',
  )
  return null
}

function checkChain(chain: readonly X509Certificate[], now: number, fault: Complain): void {
  for (const [at, certificate] of chain.entries()) {
    const name = `Certificate ${at + 1} (${nameOf(certificate)})`
    if ([certificate.validFrom, certificate.validTo].some((time) => Number.isNaN(Date.parse(time))))
      fault('certificate.crt', `${name} does not say, in a form that can be read, when it is valid.`)
    if (Date.parse(certificate.validTo) <= now) fault('certificate.crt', `${name} expired on ${certificate.validTo}.`)
    if (Date.parse(certificate.validFrom) > now)
      fault('certificate.crt', `${name} is not valid before ${certificate.validFrom}.`)
    const issuer = chain[at + 1]
    if (issuer !== undefined && !signed(issuer, certificate))
      fault('certificate.crt', `${name} was not signed by the one that follows it, ${nameOf(issuer)}.`)
  }
}

function checkHostName(leaf: X509Certificate, { hostname, hosts }: GivenCertificate, fault: Complain): void {
  if (leaf.checkHost(hostname, { partialWildcards: false }) === undefined)
    fault('hostname', `The certificate is not good for ${quoted(hostname)}; it names ${quoted(namesIn(leaf))}.`)
  if (hosts.length > 0 && !hosts.some((host) => covers(hostname, host) || covers(host, hostname)))
    fault(
      'hostname',
      `The delivery service does not answer ${quoted(hostname)}; it answers ${quoted(hosts.join(', '))}.`,
    )
}

/** An authority's signature, made by a certificate that may sign others. */
const signed = (issuer: X509Certificate, certificate: X509Certificate) =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

function warningsOf(chain: readonly X509Certificate[]): string[] {
  const last = chain.at(-1)!
  const known = rootCertificates.map((pem) => new X509Certificate(pem))
  if (known.some((root) => root.fingerprint256 === last.fingerprint256 || signed(root, last))) return []
  if (chain.length === 1 && last.verify(last.publicKey))
    return ['The certificate is self-signed; browsers will not trust it.']
  return [`The certificate is signed by an authority that browsers do not know: ${nameOf(last, 'issuer')}.`]
}

const nameOf = (certificate: X509Certificate, whose: 'subject' | 'issuer' = 'subject') =>
  quoted((certificate[whose] ?? 'no name').split('\n').at(-1))

const namesIn = (certificate: X509Certificate) => certificate.subjectAltName ?? nameOf(certificate)

const publicKeyBytes = (certificate: X509Certificate) => certificate.publicKey.export({ type: 'spki', format: 'der' })
