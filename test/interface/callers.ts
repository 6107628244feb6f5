import type { Role } from '../../api/schema/privileges.js'
import type { Client, TestServer } from '../build.js'

/** Who has the role a route asks for; agents by their name, whatever other roles' numbers are. */
export const may: Readonly<Record<Role, readonly string[]>> = {
  none: ['nobody', 'read-only', 'ort', 'portal', 'operations', 'admin'],
  any: ['read-only', 'ort', 'portal', 'operations', 'admin'],
  checker: ['read-only', 'ort', 'portal', 'operations', 'admin'],
  portal: ['portal', 'operations', 'admin'],
  agent: ['ort', 'operations', 'admin'],
  oper: ['operations', 'admin'],
  adminOrAgent: ['ort', 'admin'],
  admin: ['admin'],
}

export interface Caller {
  readonly role: string
  /** Nobody belongs to no tenant. */
  readonly tenant: string | null
  readonly client: Client
}

/** The root, one below it, one below that, and one beside it. */
const tenants = ['root', 'media-house', 'media-house-studio', 'software-vendor']

/** Nobody, and every role in every place of the tree. */
export const cells: readonly (readonly [role: string, tenant: string | null])[] = [
  ['nobody', null],
  ...may.any.flatMap((role) => tenants.map((tenant) => [role, tenant] as const)),
]

export const nameOf = ([role, tenant]: readonly [string, string | null]): string =>
  tenant === null ? role : `${role} of ${tenant}`

/** A client for each, by its name. */
export async function everyCaller(server: TestServer): Promise<ReadonlyMap<string, Caller>> {
  const callers = new Map<string, Caller>()
  for (const cell of cells) {
    const [role, tenant] = cell
    const client = tenant === null ? server.anonymous : await server.as(role, { tenant })
    callers.set(nameOf(cell), { role, tenant, client })
  }
  return callers
}
