import { createHash } from 'node:crypto'
import type { RsaKey } from './keyMaker.js'

/** The RSA algorithms of RFC 8624 that routers sign with, by their number in DNSKEY records. */
export const algorithms = { 5: 'RSASHA1', 8: 'RSASHA256' } as const
export type Algorithm = keyof typeof algorithms

export interface Dnskey {
  /** The zone, absolute: `news.cdn.example.net.` */
  readonly zone: string
  /** Seconds. */
  readonly ttl: number
  /** 256 for a key that signs the zone, 257 for one that signs keys. */
  readonly flags: 256 | 257
  readonly algorithm: Algorithm
  readonly key: RsaKey
}

/** The DNSKEY record as one line of a zone file. */
export function dnskeyLine({ zone, ttl, flags, algorithm, key }: Dnskey): string {
  return `${zone}\t${ttl}\tIN\tDNSKEY\t${flags} ${protocol} ${algorithm} ${publicKey(key).toString('base64')}\n`
}

/** The private key as BIND keeps it in a `K….private` file, format v1.2, which dnsjava reads too. */
export function bindPrivateKey(algorithm: Algorithm, key: RsaKey): string {
  const numbers = [
    ['Modulus', key.n],
    ['PublicExponent', key.e],
    ['PrivateExponent', key.d],
    ['Prime1', key.p],
    ['Prime2', key.q],
    ['Exponent1', key.dp],
    ['Exponent2', key.dq],
    ['Coefficient', key.qi],
  ] as const
  const lines = numbers.map(([name, number]) => `${name}: ${Buffer.from(number, 'base64url').toString('base64')}`)
  return ['Private-key-format: v1.2', `Algorithm: ${algorithm} (${algorithms[algorithm]})`, ...lines, ''].join('\n')
}

/** What the parent zone must publish so that a key is trusted (RFC 4034 section 5, RFC 4509). */
export interface DsRecord {
  readonly keyTag: number
  readonly algorithm: Algorithm
  /** 2: SHA-256. */
  readonly digestType: 2
  /** 64 hex digits, upper case. */
  readonly digest: string
}

export function dsRecord(dnskey: Dnskey): DsRecord {
  const data = recordData(dnskey)
  const digest = createHash('sha256').update(ownerName(dnskey.zone)).update(data).digest('hex').toUpperCase()
  return { keyTag: keyTag(data), algorithm: dnskey.algorithm, digestType: 2, digest }
}

const protocol = 3

/** RFC 3110: length of the exponent, exponent, modulus. An exponent of ours never needs the three-byte length. */
function publicKey({ e, n }: RsaKey): Buffer {
  const exponent = Buffer.from(e, 'base64url')
  return Buffer.concat([Buffer.of(exponent.length), exponent, Buffer.from(n, 'base64url')])
}

function recordData({ flags, algorithm, key }: Dnskey): Buffer {
  return Buffer.concat([Buffer.of(flags >> 8, flags & 0xff, protocol, algorithm), publicKey(key)])
}

/** The canonical wire form of a name: lower-case labels, each behind its length, the root's last. */
function ownerName(zone: string): Buffer {
  const labels = zone.toLowerCase().split('.')
  return Buffer.concat(labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')])))
}

/** RFC 4034, appendix B: the sum of the data's 16-bit words, with the carry added once. */
function keyTag(data: Buffer): number {
  let sum = 0
  for (const [at, byte] of data.entries()) sum += at % 2 === 0 ? byte << 8 : byte
  return (sum + (sum >>> 16)) & 0xffff
}
