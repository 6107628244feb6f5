import type { Asked } from '../endpoint.js'
import { forbidden } from '../errors.js'
import type { Plan } from '../plan.js'
import type { Values } from '../resource/body.js'
import type { Row } from '../resource/define.js'
import { isRootAdmin } from '../roles.js'

/** Only administrators see, change and link secure parameters: those of the root tenant, as they belong to none. */

/** What is masked in them; nothing is sorted by it. */
export const unseen: readonly string[] = ['value']

export function mustBeAllowed({ secure }: { readonly secure: boolean }, { user }: Asked): void {
  if (secure && !isRootAdmin(user)) throw forbidden('You must be an admin to perform this operation!')
}

/** Whoever is not an administrator neither makes a parameter secure nor touches one that is. */
export function secureNeedsAdmin(asked: Asked, _plan: Plan, before: Row | null, values: Values): void {
  mustBeAllowed({ secure: before?.secure === true || values.secure === true }, asked)
}

/** A parameter that is there already becomes secure when it is given once more as one: the other way round never. */
export function keepSecret(
  { id, secure }: { readonly id: number; readonly secure: boolean },
  given: Values,
  plan: Plan,
): void {
  if (given.secure === true && !secure) plan.update('parameters', id, { secure: true })
}
