import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'

type Service = Records['deliveryServices']

export const serviceRef = ({ id, xmlId }: Service) => ({ kind: 'deliveryServices', id, name: xmlId })

export const cdnRef = ({ id, name }: Records['cdns']) => ({ kind: 'cdns', id, name })

export const typeOf = (data: Data, { typeId }: { readonly typeId: number }): string =>
  data.get('types', typeId)?.name ?? ''

export const speaksHttps = ({ protocol }: Service): boolean => (protocol ?? 0) > 0

/** Routers and monitors are told of these alone. */
const used = new Set(['ONLINE', 'REPORTED', 'ADMIN_DOWN'])

export const isInUse = (data: Data, { statusId }: { readonly statusId: number }): boolean =>
  used.has(data.get('statuses', statusId)?.name ?? '')

/** Some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const told = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${told} and ${names.length - 3} more` : told
}
