import type { Artifact } from '../../../compiler/core/artifacts.js'
import { indexKey, recordKey } from '../../../compiler/data/dependencyKeys.js'
import { forbidden } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Caller } from '../../schema/privileges.js'
import { seesSecrets } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import type { Values } from '../recordBody.js'

/** Only administrators see, change and link secure parameters: those of the root tenant, as they belong to none. */

/** What is masked in them; nothing is sorted by it. */
export const unseen: readonly string[] = ['value']

export function mustBeAllowed({ secure }: { readonly secure: boolean }, { user }: { readonly user: Caller }): void {
  if (secure && !seesSecrets(user)) throw forbidden('You must be an admin to perform this operation!')
}

/**
 * A compiled file shows the secure parameters it is made of: its machine needs them. Operators of other tenants could
 * have any of them compiled, as profiles and servers are everybody's, so such a file is for users of the root tenant.
 * What a compile read says which file that is, however the parameter came into it.
 */
export function mustReachSecure({ readSet }: Pick<Artifact, 'readSet'>, user: Caller, data: Data): void {
  if (user.ofRoot) return
  for (const { id, name, configFile, profiles } of data.by('parameters', 'secure', 'yes')) {
    const input = [
      recordKey('parameters', id, 'seen'),
      indexKey('parameters', 'nameFile', `${name}/${configFile}`, 'seen'),
      ...profiles.map((profile) => indexKey('parameters', 'profileFile', `${profile}/${configFile}`, 'seen')),
    ]
    if (!input.some((cell) => readSet.includes(cell))) continue
    throw forbidden('Forbidden. The file shows secure parameters, and is for users of the root tenant.')
  }
}

/** The same for the list of a server's files, which shows where they lie and where the service is found. */
export function mustReachPlaces(server: { readonly profileId: number } | undefined, user: Caller, data: Data): void {
  if (user.ofRoot || !server) return
  const shown = [
    ...['location', 'URL'].flatMap((name) => data.by('parameters', 'profileName', `${server.profileId}/${name}`)),
    ...['tm.url', 'tm.rev_proxy.url'].flatMap((name) => data.by('parameters', 'nameFile', `${name}/global`)),
  ]
  if (!shown.some(({ secure }) => secure)) return
  throw forbidden('Forbidden. The list shows secure parameters, and is for users of the root tenant.')
}

/** Whoever is not an administrator neither makes a parameter secure nor touches one that is. */
export function secureNeedsAdmin(
  input: { readonly user: Caller },
  _plan: Transaction,
  before: Row | null,
  values: Values,
): void {
  mustBeAllowed({ secure: before?.secure === true || values.secure === true }, input)
}

/**
 * The parameter that a body means by its name, config file and value. Whoever may not see secure ones does not come
 * upon one by guessing its value: for them it is not there.
 */
export function sameParameter(
  data: Data,
  given: Values,
  { user }: { readonly user: Caller },
): Records['parameters'] | undefined {
  const key = JSON.stringify([given.name, given.configFile, given.value])
  const found = data.by('parameters', 'name+configFile+value', key)
  const alike = found.find(({ secure }) => secure === (given.secure === true))
  return alike ?? (seesSecrets(user) ? found[0] : undefined)
}

/** A parameter that is there already becomes secure when it is given once more as one: the other way round never. */
export function keepSecret(
  { id, secure }: { readonly id: number; readonly secure: boolean },
  given: Values,
  transaction: Transaction,
): void {
  if (given.secure === true && !secure) transaction.update('parameters', id, { secure: true })
}
