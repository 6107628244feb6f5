import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range of addresses of one family, both ends included. */
export interface Range {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

/** Reads an address, a net (`10.0.0.0/8`, `2001:db8::1/64`) or a range (`10.0.0.1-10.0.0.9`); `null` when it is none. */
export function parseRange(text: string): Range | null {
  const [start = '', end, ...more] = text.trim().split('-')
  if (more.length > 0) return null
  if (end !== undefined) {
    const [first, last] = [parseAddress(start), parseAddress(end)]
    const usable = first && last && first.family === last.family && first.value <= last.value
    return usable ? { family: first.family, first: first.value, last: last.value } : null
  }
  const [host = '', length, ...rest] = start.split('/')
  const address = parseAddress(host)
  if (!address || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const bits = width(address.family)
  return Number(length ?? bits) <= bits ? netOf(address, Number(length ?? bits)) : null
}

/**
 * The nets that stand for these addresses: a net of `length` bits with at least `number` of them in it replaces
 * them; what lies within another is left out. Ascending.
 */
export function coalesced(ranges: readonly Range[], { length, number }: { length: number; number: number }): Range[] {
  const members = new Map<bigint, Range[]>()
  const wide: Range[] = []
  for (const range of ranges) {
    const net = netOf({ family: range.family, value: range.first }, Math.min(length, width(range.family)))
    if (range.last > net.last) wide.push(range)
    else members.set(net.first, [...(members.get(net.first) ?? []), range])
  }
  const nets = [...members.values()].flatMap((inside) => {
    const [first] = inside
    const distinct = new Set(inside.map(({ first, last }) => `${first}-${last}`))
    if (!first || distinct.size < number) return inside
    return [netOf({ family: first.family, value: first.first }, Math.min(length, width(first.family)))]
  })
  const sorted = [...wide, ...nets].sort((a, b) => compare(a.first, b.first) || compare(b.last, a.last))
  const kept: Range[] = []
  for (const range of sorted) {
    const before = kept.at(-1)
    if (!before || range.last > before.last) kept.push(range)
  }
  return kept
}

/** Ranges that overlap or touch become one. Expects them ascending, of one family. */
export function joinedRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = []
  for (const range of ranges) {
    const before = joined.at(-1)
    if (before && range.first <= before.last + 1n) {
      if (range.last > before.last) joined[joined.length - 1] = { ...before, last: range.last }
    } else joined.push(range)
  }
  return joined
}

/** `first-last`, or the one address. */
export function rangeText({ family, first, last }: Range): string {
  return first === last ? addressText(family, first) : `${addressText(family, first)}-${addressText(family, last)}`
}

/** `net/length`, the one address, or `first-last` when it is no net. */
export function netText(range: Range): string {
  const { family, first, last } = range
  if (first === last) return addressText(family, first)
  const size = last - first + 1n
  const isNet = (size & (size - 1n)) === 0n && first % size === 0n
  return isNet ? `${addressText(family, first)}/${width(family) - (size.toString(2).length - 1)}` : rangeText(range)
}

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

const width = (family: 4 | 6): number => (family === 4 ? 32 : 128)

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

function netOf({ family, value }: Address, length: number): Range {
  const size = 1n << BigInt(width(family) - length)
  const first = value - (value % size)
  return { family, first, last: first + size - 1n }
}

function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: numberOf(ipaddr.IPv4.parse(text)) }
  // A zone means something to one machine only.
  if (!isIPv6(text) || text.includes('%')) return null
  // The library takes `::192.0.2.1` for `::ffff:192.0.2.1`, which is another address.
  return { family: 6, value: numberOf(ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, '0::'))) }
}

const numberOf = (address: ipaddr.IPv4 | ipaddr.IPv6): bigint =>
  address.toByteArray().reduce((value, byte) => (value << 8n) + BigInt(byte), 0n)

/** As RFC 5952 has it. */
function addressText(family: 4 | 6, value: bigint): string {
  const length = width(family) / 8
  const bytes = Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 255n))
  return family === 4 ? new ipaddr.IPv4(bytes).toString() : new ipaddr.IPv6(bytes).toRFC5952String()
}
