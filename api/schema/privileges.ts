import { forbidden } from '../config/errors.js'
import type { Data } from './data.js'

/** Least privilege levels (beyond.md §1.2). */
export const levels = { none: 0, any: 10, portal: 15, oper: 20, admin: 30 } as const

/**
 * Who may call a route: a level and those above, or
 * - `agent`: the cache agent's, the role `ort` by its name, beside `oper`
 * - `adminOrAgent`: the same, beside `admin`
 * - `checker`: any, unless the installation narrows who writes checks and statistics
 */
export type Role = keyof typeof levels | 'agent' | 'adminOrAgent' | 'checker'

/**
 * Whose records a route touches. Every route declares it, for what is forgotten would be open to all tenants.
 * - `root`: the whole installation's, whatever their tenants; only callers of the root tenant pass (`permission.ts`)
 * - `tenants`: those of tenants: the handler shows and changes only what the caller's tenant reaches
 * - `own`: the caller's
 * - `cdn`: the documents that the machines of a CDN run on; they name the services of all of its tenants
 * - `shared`: what belongs to no tenant
 */
export type Reach = 'root' | 'tenants' | 'own' | 'cdn' | 'shared'

/** Who asks. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly privLevel: number
  readonly roleName: string
  readonly tenantId: number
  /** Whether that is the root tenant, so that the whole installation is theirs to look after. */
  readonly ofRoot: boolean
  /** The API token that was used; `null` with a session. */
  readonly tokenId: number | null
  /** What that token is limited to, each once and in order; `null` is everything the user may do. */
  readonly scopes: readonly string[] | null
}

/** The service itself: first start, the command line, expiry of invalidation rules. No role is above it. */
export const system: Caller = Object.freeze({
  id: 0,
  username: 'edgewright',
  privLevel: Number.MAX_SAFE_INTEGER,
  roleName: 'admin',
  tenantId: 1,
  ofRoot: true,
  tokenId: null,
  scopes: null,
})

export const anonymous: Caller = Object.freeze({
  id: 0,
  username: '',
  privLevel: 0,
  roleName: '',
  tenantId: 0,
  ofRoot: false,
  tokenId: null,
  scopes: null,
})

/** The role of cache agents: what it may do it may by this name, whatever its level. */
export const agentRole = 'ort'

export const isAdmin = (user: Caller): boolean => user.privLevel >= levels.admin

/** An administrator of the whole installation: of what belongs to no tenant, and of everybody's. */
export const isRootAdmin = (user: Caller): boolean => isAdmin(user) && user.ofRoot

/**
 * Who reads secure values and the passwords of machines in clear: administrators of the root tenant. A token of theirs
 * that is for checks or for one cache has no use for them.
 */
export const seesSecrets = (user: Caller): boolean =>
  isRootAdmin(user) && (user.scopes === null || user.scopes.some((scope) => /^(read$|write:)/.test(scope)))

/** Whether the caller's tenant is `tenantId` or above it, and the tenant is active. `null` belongs to everybody. */
export function reachesTenant(data: Data, user: Caller, tenantId: number | null): boolean {
  if (tenantId === null || user === system) return true
  const target = data.get('tenants', tenantId)
  const own = data.get('tenants', user.tenantId)
  if (!target?.active || !own?.active) return false
  for (let at: number | null = tenantId, depth = 0; at !== null && depth <= 100; depth++) {
    if (at === user.tenantId) return true
    at = data.get('tenants', at)?.parentId ?? null
  }
  return false
}

/** The one above all others. */
export const rootTenant = (data: Data): number | null =>
  data.all('tenants').find(({ parentId }) => parentId === null)?.id ?? null

export function mustReachTenant(data: Data, user: Caller, tenantId: number | null): void {
  if (!reachesTenant(data, user, tenantId)) throw forbidden('Forbidden. The tenant is not available to the user.')
}
