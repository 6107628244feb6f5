import { conflict, invalid, noSuch } from '../config/errors.js'
import type { Row } from '../schema/defineKind.js'
import { reachesTenant } from '../schema/privileges.js'
import type { Referrer } from './kinds.js'
import type { RecordKind } from './recordKind.js'
import type { Place, Setting } from './setting.js'
import { isOthers, outsideFaults } from './tenancy.js'

/** How a transaction removes records, and what becomes of those that refer to them. */
export class Removing {
  readonly #setting: Setting
  readonly #place: Place

  constructor(setting: Setting, place: Place) {
    this.#setting = setting
    this.#place = place
  }

  /** A record that goes or changes with it a step. */
  *remove(kind: string, id: number, cascading = false): Generator<void, void> {
    const { workingSet, catalogue } = this.#setting
    const resource = catalogue.of(kind)
    const before = workingSet.get(kind, id) as Row | undefined
    if (!before) throw noSuch(resource.label, id)
    this.#mustBeFree(resource, before, cascading)
    for (const referrer of catalogue.referrers(kind)) yield* this.#release(resource, id, referrer)
    // A cascade or an effect may have removed it already.
    if (workingSet.get(kind, id)) this.#place(resource, id, before, null)
  }

  #mustBeFree(resource: RecordKind, before: Row, cascading: boolean): void {
    const { data, catalogue, user } = this.#setting
    const kept = [...(resource.deleteGuard?.(before, { data, user }) ?? [])]
    if (kept.length > 0) throw invalid(kept)
    // What goes with it may be others': who carries a delivery service, or steers to it.
    if (cascading) return
    const outside = outsideFaults(resource, { before, after: null }, { data, catalogue, user })
    if (outside.length > 0) throw invalid(outside)
  }

  /** Takes a record out of those that refer to it by one field, or these along with it; or refuses. */
  *#release(resource: RecordKind, id: number, { resource: other, field, onDelete }: Referrer): Generator<void, void> {
    const { workingSet } = this.#setting
    const users =
      field === 'id' ? (workingSet.get(other.kind, id) ? [id] : []) : [...workingSet.ids(other.kind, field, id)]
    if (users.length === 0) return
    if (onDelete === 'restrict') {
      throw conflict(`This ${resource.label} is currently used by ${this.#usersSaid(other, users)}.`)
    }
    if (onDelete === 'clear' && !resource.tenant) yield* this.#mustBeOwn(resource, other, users)
    for (const user of users) {
      yield
      if (onDelete === 'cascade') yield* this.remove(other.kind, user, true)
      else this.#clear(other, field, user, id)
    }
  }

  /** How many and which, of those whose tenants the user reaches. */
  #usersSaid({ kind, tenant }: RecordKind, ids: readonly number[]): string {
    const { workingSet, data, user } = this.#setting
    const known = tenant
      ? ids.filter((id) => reachesTenant(data, user, tenant(workingSet.get(kind, id) as Row, data)))
      : ids
    if (known.length === 0) return `${kind} of other tenants`
    const others = known.length < ids.length ? ', and of other tenants' : ''
    return `${kind} (${known.length}), for instance ${known[0]}${others}`
  }

  /** What belongs to nobody goes out of the records that have it, unless one is another tenant's. */
  *#mustBeOwn({ label }: RecordKind, other: RecordKind, ids: readonly number[]): Generator<void, void> {
    const { workingSet, data, user } = this.#setting
    for (const id of ids) {
      yield
      if (isOthers(other, workingSet.get(other.kind, id) as Row, { data, user }))
        throw conflict(`This ${label} is currently used by ${other.kind} of other tenants.`)
    }
  }

  #clear(other: RecordKind, field: string, user: number, id: number): void {
    const { workingSet, time } = this.#setting
    const before = workingSet.get(other.kind, user) as Row
    const held = before[field]
    const value = Array.isArray(held) ? held.filter((one) => one !== id) : null
    this.#place(other, user, before, { ...before, [field]: value, lastUpdated: time })
  }
}
