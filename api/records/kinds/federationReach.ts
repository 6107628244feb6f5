import { forbidden } from '../../config/errors.js'
import type { Data } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'

type Federation = Records['federations']

/**
 * A federation belongs to the tenants of its delivery services. Whoever reaches one of them sees it; who changes it
 * changes it for all of them, and must reach all. One without delivery services is everybody's.
 */
export function mustSee(federation: Federation, user: Caller, data: Data): void {
  if (!seesFederation(federation, user, data)) throw outside()
}

export function mustChange(federation: Federation, user: Caller, data: Data): void {
  if (!reachesAll(federation, user, data)) throw outside()
}

export const seesFederation = ({ deliveryServices }: Federation, user: Caller, data: Data): boolean =>
  deliveryServices.length === 0 || deliveryServices.some((id) => reaches(id, user, data))

/** Whose clients a resolver has is to be known by those who see a federation it is in. */
export function seesResolver(id: number, user: Caller, data: Data): boolean {
  const federations = data.by('federations', 'resolvers', id)
  return federations.length === 0 || federations.some((federation) => seesFederation(federation, user, data))
}

/** A federation of one's own would show it otherwise. */
export function mustSeeResolver(id: number, user: Caller, data: Data): void {
  if (!seesResolver(id, user, data)) throw outside()
}

export const reachesAll = ({ deliveryServices }: Federation, user: Caller, data: Data): boolean =>
  deliveryServices.every((id) => reaches(id, user, data))

const reaches = (service: number, user: Caller, data: Data): boolean =>
  reachesTenant(data, user, data.get('deliveryServices', service)?.tenantId ?? null)

const outside = () =>
  forbidden('Forbidden. The tenant of a delivery service of the federation is not available to the user.')
