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
  if (!text.includes(':')) {
    const value = parseIpv4(text)
    return value === null ? null : { family: 4, value }
  }
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map(parseGroups)
  if (!head || tail === null) return null
  if (tail === undefined) return head.length === 8 ? { family: 6, value: fromGroups(head) } : null
  const gap = 8 - head.length - tail.length
  return gap < 1 ? null : { family: 6, value: fromGroups([...head, ...Array<number>(gap).fill(0), ...tail]) }
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((value, part) => (value << 8n) + BigInt(part), 0n)
}

/** Groups of four hex digits; the last may be an IPv4 address. `null` when malformed. */
function parseGroups(text: string): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    const ipv4 = i === parts.length - 1 ? parseIpv4(part) : null
    if (ipv4 !== null) groups.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn))
    else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16))
    else return null
  }
  return groups
}

const fromGroups = (groups: readonly number[]): bigint =>
  groups.reduce((value, group) => (value << 16n) + BigInt(group), 0n)

function addressText(family: 4 | 6, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn))
  const run = longestZeros(groups)
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (run.length < 2) return hex(groups)
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`
}

/** The first longest run of zero groups, which `::` stands for (RFC 5952). */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === 0) length++
    if (length > best.length) best = { start, length }
  }
  return best
}
