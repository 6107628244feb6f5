import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which proxies are believed when they say whom they speak for: so many before us, or those of these networks. */
export type TrustedProxies = number | BlockList

/**
 * The address a request comes from. Behind proxies it is the last one that no trusted proxy named: `X-Forwarded-For`
 * is read from its end, and what a client wrote into it stands before what the first proxy added.
 */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: TrustedProxies,
): string {
  let address = plain(socket.remoteAddress ?? '')
  if (trusted === 0) return address
  const named = (headers['x-forwarded-for'] as string | undefined)?.split(',') ?? []
  for (let hop = 0; isTrusted(address, hop, trusted); hop++) {
    const next = plain(named.pop()?.trim() ?? '')
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** `null` when it is neither a number nor a list of addresses and networks. */
export function trustedProxies(text: string): TrustedProxies | null {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const list = new BlockList()
  for (const item of text.split(',')) {
    const [, network = '', bits] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(item.trim()) ?? []
    const version = isIP(network)
    if (version === 0) return null
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(network, family)
    else if (Number(bits) <= (version === 4 ? 32 : 128)) list.addSubnet(network, Number(bits), family)
    else return null
  }
  return list
}

/** Whose attempts are counted together: an address, or for IPv6 the network that one subscriber gets. */
export function subscriberOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** An IPv6 address as everybody means it: a zone (`%eth0`) means something to one machine only. */
export const isPlainIPv6 = (text: string): boolean => isIPv6(text) && !text.includes('%')

const isTrusted = (address: string, hop: number, trusted: TrustedProxies): boolean =>
  typeof trusted === 'number' ? hop < trusted : trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** A socket for both families shows IPv4 as `::ffff:192.0.2.1`. */
const plain = (address: string): string =>
  address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
