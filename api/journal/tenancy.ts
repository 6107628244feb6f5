import type { Fault } from '../config/errors.js'
import type { Data, Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import { reachesTenant, rootTenant, system } from '../schema/privileges.js'
import type { Change, LogLine } from '../store/store.js'
import type { RecordKinds } from './kinds.js'
import type { RecordKind } from './recordKind.js'

/** A record before and after a change; `null` when it is not there. */
export interface Changed {
  readonly before: Row | null
  readonly after: Row | null
}

/** A tenant that a change touches, and the field by which it does. */
interface Touched {
  readonly path: string
  readonly tenantId: number | null
}

/**
 * The wall between tenants: whatever route, import or side effect it is in, nobody changes a record of a tenant that is
 * neither theirs nor below it, puts one there, or refers to one. Whether a tenant is active is not asked here: the
 * routes do, for whom it is to keep out.
 */
export function outsideFaults(
  resource: RecordKind,
  changed: Changed,
  { data, catalogue, user }: { data: Data; catalogue: RecordKinds; user: Caller },
): Fault[] {
  if (user === system || user.ofRoot || !isTenanted(resource, catalogue)) return []
  const outside = new Set<string>()
  for (const { path, tenantId } of touched(resource, changed, data, catalogue)) {
    if (tenantId !== null && !isWithin(data, tenantId, user.tenantId)) outside.add(path)
  }
  // The field that takes the record out of reach says more than that it would be.
  if (outside.size > 1) outside.delete('')
  return [...outside].map((path) => ({ path, text: text(path), status: 403 as const }))
}

const text = (path: string): string =>
  path === ''
    ? 'Forbidden. The tenant is not available to the user.'
    : `${path}: the tenant is not available to the user`

/** Whether a record is another tenant's, or tells of one: what belongs to nobody is not to be taken out of it. */
export function isOthers(resource: RecordKind, row: Row, { data, user }: { data: Data; user: Caller }): boolean {
  if (user === system || user.ofRoot) return false
  const tenants = [resource.tenant?.(row, data) ?? null, ...(resource.about?.(row, data) ?? [])]
  return tenants.some((id) => id !== null && !isWithin(data, id, user.tenantId))
}

/**
 * The tenants whose records changes touch, or tell of: who may see that they were made. Of very many only the root's,
 * which is above them all: an import is nobody else's to look into. A change a step.
 */
export function* tenantsTouched(
  changes: Iterable<{ readonly kind: string; readonly before: object | null; readonly after: object | null }>,
  data: Data,
  catalogue: RecordKinds,
): Generator<void, readonly number[]> {
  const tenants = new Set<number>()
  let looked = 0
  for (const { kind, ...change } of changes) {
    yield
    if (!catalogue.has(kind)) continue
    const resource = catalogue.of(kind)
    if (!isTenanted(resource, catalogue) && !resource.about) continue
    if (++looked > most) return [rootTenant(data) ?? 0]
    const changed = change as Changed
    for (const { tenantId } of touched(resource, changed, data, catalogue)) if (tenantId !== null) tenants.add(tenantId)
    for (const row of [changed.before, changed.after]) {
      if (!row || !resource.about) continue
      for (const tenantId of resource.about(row, data)) if (tenantId !== null) tenants.add(tenantId)
    }
  }
  return [...tenants].sort((a, b) => a - b)
}

const most = 1000

/** Who sees a line of the change log: whoever reaches all that its entry touched. Of older lines it is not known. */
export function seesLine({ tenants }: Pick<LogLine, 'tenants'>, user: Caller, data: Data): boolean {
  return user.ofRoot || (tenants?.every((id) => reachesTenant(data, user, id)) ?? false)
}

/** Who sees a change in the journal: whoever reaches the tenants of the record before and after. What is of none now is the root's. */
export function seesChange(change: Change, user: Caller, data: Data, catalogue: RecordKinds): boolean {
  // What no resource declares is the service's own.
  if (!catalogue.has(change.kind)) return false
  if (user.ofRoot) return true
  const resource = catalogue.of(change.kind)
  const changed = change as Changed
  const own = isTenanted(resource, catalogue) ? [...touched(resource, changed, data, catalogue)] : []
  return (
    own.every(({ tenantId }) => tenantId !== null && reachesTenant(data, user, tenantId)) &&
    [changed.before, changed.after].every(
      (row) => row === null || (resource.about?.(row, data) ?? []).every((id) => reachesTenant(data, user, id)),
    )
  )
}

/** Whether `tenantId` is `own` or below it. A tenant that is not there yet is its creation's to look at. */
function isWithin(data: Data, tenantId: number, own: number): boolean {
  let at: number | null = tenantId
  if (!data.get('tenants', at)) return true
  for (let depth = 0; at !== null && depth <= 100; depth++) {
    if (at === own) return true
    at = data.get('tenants', at)?.parentId ?? null
  }
  return false
}

/** Whether records of a kind have a tenant, or refer to some that do. */
function isTenanted(resource: RecordKind, catalogue: RecordKinds): boolean {
  const known = tenanted.get(resource)
  if (known !== undefined) return known
  const refers = (kind: string | null | undefined) =>
    typeof kind === 'string' && catalogue.of(kind).tenant !== undefined
  const answer =
    resource.tenant !== undefined ||
    refers(resource.idRefersTo) ||
    Object.values(resource.fields).some(({ notes }) => refers(notes.ref))
  tenanted.set(resource, answer)
  return answer
}

const tenanted = new WeakMap<RecordKind, boolean>()

function* touched(
  resource: RecordKind,
  { before, after }: Changed,
  data: Data,
  catalogue: RecordKinds,
): Iterable<Touched> {
  const rows = [before, after].filter((row) => row !== null)
  if (resource.tenant) for (const row of rows) yield { path: '', tenantId: resource.tenant(row, data) }
  const { idRefersTo } = resource
  const owner = idRefersTo === undefined ? undefined : catalogue.of(idRefersTo)
  if (owner?.tenant && rows[0]) yield { path: '', tenantId: tenantOf(owner, rows[0].id, data) }
  for (const [path, { notes }] of Object.entries(resource.fields)) {
    const target = notes.ref === undefined ? undefined : catalogue.of(notes.ref)
    if (!target?.tenant) continue
    for (const id of referred(before?.[path], after?.[path], resource.tenant === undefined)) {
      yield { path, tenantId: tenantOf(target, id, data) }
    }
  }
}

/** Of a list what is new or gone: the rest is as others left it. Of a single one both, unless the record's own tenant says whose it is. */
function referred(before: unknown, after: unknown, always: boolean): readonly number[] {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [had, has] = [new Set((before ?? []) as number[]), new Set((after ?? []) as number[])]
    return [...[...had].filter((id) => !has.has(id)), ...[...has].filter((id) => !had.has(id))]
  }
  if (before === after && !always) return []
  return [before, after].filter((id) => typeof id === 'number')
}

function tenantOf(resource: RecordKind, id: number, data: Data): number | null {
  const row = data.get(resource.kind as Kind, id)
  return row && resource.tenant ? resource.tenant(row as Row, data) : null
}
