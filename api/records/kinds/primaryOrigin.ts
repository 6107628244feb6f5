const parts = /^(https?):\/\/([^/\s]*?)(?::(\d+))?$/

export const isOriginUrl = (url: string): boolean => parts.test(url)

/** The parts of `scheme://host[:port]` as an origin record has them. */
export function originFields(url: string): { protocol: 'http' | 'https'; fqdn: string; port: number | null } {
  const [, protocol, fqdn, port] = parts.exec(url)!
  return { protocol: protocol as 'http' | 'https', fqdn: fqdn!, port: port === undefined ? null : Number(port) }
}

/** The way back: what a delivery service says of its primary origin. */
export const originUrl = ({ protocol, fqdn, port }: { protocol: string; fqdn: string; port: number | null }): string =>
  `${protocol}://${fqdn}${port === null ? '' : `:${port}`}`
