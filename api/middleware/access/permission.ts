import type { Endpoint } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Caller, Role } from '../../schema/privileges.js'
import { agentRole, isRootAdmin, levels } from '../../schema/privileges.js'

/**
 * The one place that decides, by role and tenant, who may call a route at all. Whose records it then shows and changes
 * is its handler's, what a token is limited to `scopes.ts`'s.
 *
 * @returns what the caller lacks; `null` when nothing
 */
export function lacking({ role, reach }: Pick<Endpoint, 'role' | 'reach'>, caller: Caller, data: Data): string | null {
  const needed = lackingRole(role, caller, data)
  if (needed !== null) return `Forbidden. ${needed}`
  return reach === 'root' && !caller.ofRoot ? 'Forbidden. This is for users of the root tenant.' : null
}

/** How the roles are called that the levels stand for. */
const names = { none: '', any: 'read-only', portal: 'portal', oper: 'operations', admin: 'admin' } as const

function lackingRole(role: Role, caller: Caller, data: Data): string | null {
  switch (role) {
    // By its name, not by its number: portal, steering and federation users have a higher one.
    case 'agent':
      return isAgent(caller) ? null : lackingLevel('oper', caller, ", or the role 'ort'")
    case 'adminOrAgent':
      return isAgent(caller) ? null : lackingLevel('admin', caller, ", or the role 'ort'")
    case 'checker':
      return lackingLevel('any', caller) ?? lackingCheckRight(caller, data)
    default:
      return lackingLevel(role, caller)
  }
}

function lackingLevel(role: keyof typeof levels, caller: Caller, or = ''): string | null {
  return caller.privLevel >= levels[role] ? null : `This needs the role '${names[role]}' or one above it${or}.`
}

const isAgent = ({ roleName, privLevel }: Caller): boolean => roleName === agentRole && privLevel >= levels.any

/**
 * Who may write check extensions, their results and statistics: any user, as the interface has it, unless the
 * installation narrows it by `checks.writers` of the GLOBAL profile, config file `global`. A word that is none of the
 * three counts as the narrowest.
 */
function lackingCheckRight(caller: Caller, data: Data): string | null {
  const writers = globalParameter(data, 'checks.writers') ?? 'any'
  if (writers === 'any' || isRootAdmin(caller)) return null
  const told = `The parameter checks.writers reserves this for`
  if (writers === 'oper') return caller.privLevel >= levels.oper ? null : `${told} the role 'operations' and above.`
  // People choose their own names: it is the role that nobody can give themselves.
  const isExtension = caller.ofRoot && caller.username === 'extension' && caller.privLevel >= levels.oper
  return isExtension ? null : `${told} the user 'extension' with the role 'operations'.`
}

/** The value of a parameter of config file `global` that the GLOBAL profile has. */
export function globalParameter(data: Data, name: string): string | undefined {
  const profile = findOne(data, 'profiles', 'name', 'GLOBAL')?.id
  return data
    .by('parameters', 'nameFile', `${name}/global`)
    .find(({ profiles }) => profile !== undefined && profiles.includes(profile))?.value
}
