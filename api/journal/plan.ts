import type { Fragment, FragmentKey, Making } from '../../compiler/core/fragments.js'
import { Notes } from '../../compiler/core/notes.js'
import type { Key } from '../../compiler/data/model.js'
import { same, type Trial, type WorkingSet } from '../../compiler/data/workingSet.js'
import { conflict, type Fault, invalid, noSuch } from '../config/errors.js'
import { drained } from '../flow/slices.js'
import type { Resource, Row } from '../records/defineKind.js'
import { mask } from '../records/recordBody.js'
import { asReader, type Data, type Kind } from '../schema/data.js'
import { type Caller, reachesTenant, seesSecrets } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'
import { isSecret } from '../schema/secrecy.js'
import type { Change, LogLine, StoredRecord } from '../store/store.js'
import { type Catalogue, uniqueKey } from './kinds.js'
import { isOthers, outsideFaults, tenantsTouched } from './tenancy.js'

/** A record's own fields, without what the service sets itself. */
export type Draft<K extends Kind> = Omit<Records[K], 'id' | 'lastUpdated'>

/**
 * One journal entry in the making. What is created, changed or removed is seen by the following questions at
 * once, and by nobody else until it is committed. Every check of the resources runs here, so no way of writing
 * (a route, an import, a side effect) can pass it by.
 */
export interface Plan {
  readonly data: Data
  readonly user: Caller
  /** The entry's time, ISO 8601: the only clock a write may use. */
  readonly time: string
  /** The revision the entry will have. */
  readonly revision: number
  create<K extends Kind>(kind: K, values: Draft<K>, id?: number): Records[K]
  update<K extends Kind>(kind: K, id: number, values: Partial<Draft<K>>): Records[K]
  remove(kind: Kind, id: number): void
  /** The same, a record that goes or changes with it a step. */
  removeInSteps(kind: Kind, id: number): Generator<void, void>
  /** The largest id that a record of the kind ever had. */
  lastId(kind: string): number
  /** Ids that are chosen from here on are larger than `id`. */
  reserve(kind: string, id: number): void
  /** Runs without side effects of records on others: an import brings those along. */
  quietly<T>(run: () => T): T
  /** Runs the side effects a record would have had on creation. */
  completeRecord(kind: string, id: number): void
  /** A line of the change log; without one the first change writes its own. */
  log(message: string, level?: LogLine['level'], ticketNum?: string | null): void
  /** A line names a record that nothing changes: who may not see that must not see the lines. */
  mention(kind: Kind, id: number): void
  /** What whoever writes should know of the records written so far. */
  readonly advice: readonly string[]
  /** As `create` and `update`, for kinds known only at run time; faults are returned instead of thrown. */
  attempt(kind: string, values: Record<string, unknown>, id?: number): { row: Row | null; faults: Fault[] }
  amend(kind: string, id: number, values: Record<string, unknown>): { row: Row | null; faults: Fault[] }
}

/** What a decision is made on: the working set under a trial, or a fork of it. */
export type Decided = Pick<WorkingSet, 'get' | 'ids' | 'allIds' | 'lastId'>

export interface DecidedPlan extends Plan {
  readonly changes: readonly Change[]
  /** The same, in steps. */
  changesInSteps(): Generator<void, Change[]>
  readonly lines: readonly LogLine[]
  /** Whose records the changes touch: who may see the lines. */
  tenantsInSteps(): Generator<void, readonly number[]>
}

export function createPlan(given: {
  workingSet: Decided
  trial: Pick<Trial, 'change' | 'takeId' | 'reserve'>
  catalogue: Catalogue
  user: Caller
  time: string
  revision: number
}): DecidedPlan {
  const { workingSet, trial, catalogue, user, time, revision } = given
  const data = plainData(workingSet, catalogue)
  const changes = new Map<string, Change>()
  const lines: LogLine[] = []
  const mentioned: { kind: string; before: object | null; after: null }[] = []
  const advice = new Map<string, readonly string[]>()
  let quiet = false

  const place = (resource: Resource, id: number, before: Row | null, after: Row | null): void => {
    trial.change(resource.kind, id, after)
    const name = `${resource.kind}/${id}`
    const first = changes.get(name)
    const earliest = first ? first.before : (before as StoredRecord | null)
    if (earliest === null && after === null) changes.delete(name)
    else changes.set(name, { kind: resource.kind, id, before: earliest, after: after as StoredRecord | null })
    if (after !== null && resource.advises) advice.set(name, [...resource.advises(after)])
    if (!quiet) resource.effects?.(plan, { before, after })
  }

  const attempt: Plan['attempt'] = (kind, values, id) => {
    const resource = catalogue.of(kind)
    const row = { id: id ?? trial.takeId(kind), ...complete(resource, values), lastUpdated: time } as Row
    if (workingSet.get(kind, row.id)) {
      return {
        row: null,
        faults: [{ path: 'id', text: `a ${resource.label} with id ${row.id} already exists.`, status: 409 }],
      }
    }
    const faults = check(resource, row, null)
    if (faults.length > 0) return { row: null, faults }
    place(resource, row.id, null, row)
    return { row: data.get(kind as Kind, row.id) as unknown as Row, faults }
  }

  const amend: Plan['amend'] = (kind, id, values) => {
    const resource = catalogue.of(kind)
    const before = workingSet.get(kind, id) as Row | undefined
    if (!before) throw noSuch(resource.label, id)
    // Who may not see a secret must not learn by writing one whether it was the same.
    const isBlind = (name: string) => resource.fields[name]?.notes.secret === true && !seesSecrets(user)
    const isKept = ([name, value]: [string, unknown]) => same(before[name], value) && (value === null || !isBlind(name))
    if (Object.entries(values).every(isKept)) return { row: before, faults: [] }
    const row = { ...before, ...values, id, lastUpdated: time } as Row
    const faults = check(resource, row, before)
    if (faults.length > 0) return { row: null, faults }
    place(resource, id, before, row)
    return { row: data.get(kind as Kind, id) as unknown as Row, faults }
  }

  const check = (resource: Resource, after: Row, before: Row | null): Fault[] => [
    ...danglingReferences(resource, after, before, workingSet, catalogue),
    ...duplicates(resource, after, workingSet),
    ...outsideFaults(resource, { before, after }, { data, catalogue, user }),
    ...(resource.rules?.({ before, after, data, user }) ?? []),
  ]

  function* remove(kind: string, id: number, cascading = false): Generator<void, void> {
    const resource = catalogue.of(kind)
    const before = workingSet.get(kind, id) as Row | undefined
    if (!before) throw noSuch(resource.label, id)
    const kept = [...(resource.keeps?.(before, { data, user }) ?? [])]
    if (kept.length > 0) throw invalid(kept)
    // What goes with it may be others': who carries a delivery service, or steers to it.
    if (!cascading) {
      const outside = outsideFaults(resource, { before, after: null }, { data, catalogue, user })
      if (outside.length > 0) throw invalid(outside)
    }
    for (const { resource: other, field, onDelete } of catalogue.referrers(kind)) {
      const users =
        field === 'id' ? (workingSet.get(other.kind, id) ? [id] : []) : [...workingSet.ids(other.kind, field, id)]
      if (users.length === 0) continue
      if (onDelete === 'restrict') {
        throw conflict(`This ${resource.label} is currently used by ${usersSaid(other, users)}.`)
      }
      if (onDelete === 'clear' && !resource.tenant) yield* mustBeOwn(resource, other, users)
      for (const user of users) {
        yield
        if (onDelete === 'cascade') yield* remove(other.kind, user, true)
        else clear(other, field, user, id)
      }
    }
    // A cascade or an effect may have removed it already.
    if (workingSet.get(kind, id)) place(resource, id, before, null)
  }

  /** How many and which, of those whose tenants the user reaches. */
  const usersSaid = ({ kind, tenant }: Resource, ids: readonly number[]): string => {
    const known = tenant
      ? ids.filter((id) => reachesTenant(data, user, tenant(workingSet.get(kind, id) as Row, data)))
      : ids
    if (known.length === 0) return `${kind} of other tenants`
    const others = known.length < ids.length ? ', and of other tenants' : ''
    return `${kind} (${known.length}), for instance ${known[0]}${others}`
  }

  /** What belongs to nobody goes out of the records that have it, unless one is another tenant's. */
  function* mustBeOwn({ label }: Resource, other: Resource, ids: readonly number[]): Generator<void, void> {
    for (const id of ids) {
      yield
      if (isOthers(other, workingSet.get(other.kind, id) as Row, { data, user }))
        throw conflict(`This ${label} is currently used by ${other.kind} of other tenants.`)
    }
  }

  const clear = (other: Resource, field: string, user: number, id: number): void => {
    const before = workingSet.get(other.kind, user) as Row
    const held = before[field]
    const value = Array.isArray(held) ? held.filter((one) => one !== id) : null
    place(other, user, before, { ...before, [field]: value, lastUpdated: time })
  }

  function* named() {
    yield* changes.values()
    yield* mentioned
  }

  const plan: DecidedPlan = {
    data,
    user,
    time,
    revision,
    create: (kind, values, id) => taken(attempt(kind, values as Record<string, unknown>, id)) as never,
    update: (kind, id, values) => taken(amend(kind, id, values as Record<string, unknown>)) as never,
    remove: (kind, id) => drained(remove(kind, id)),
    removeInSteps: (kind, id) => remove(kind, id),
    lastId: (kind) => workingSet.lastId(kind),
    reserve: (kind, id) => trial.reserve(kind, id),
    quietly: (run) => {
      quiet = true
      try {
        return run()
      } finally {
        quiet = false
      }
    },
    completeRecord: (kind, id) =>
      catalogue.of(kind).effects?.(plan, { before: null, after: workingSet.get(kind, id) as Row }),
    log: (message, level = 'APICHANGE', ticketNum = null) => {
      lines.push({ level, message, ticketNum })
    },
    mention: (kind, id) => {
      mentioned.push({ kind, before: workingSet.get(kind, id) ?? null, after: null })
    },
    attempt,
    amend,
    get changes() {
      return [...changes.values()].filter(({ before, after }) => !same(before, after))
    },
    *changesInSteps() {
      const changed: Change[] = []
      for (const change of changes.values()) {
        if (!same(change.before, change.after)) changed.push(change)
        yield
      }
      return changed
    },
    get advice() {
      return [...advice.values()].flat()
    },
    get lines() {
      return lines
    },
    tenantsInSteps: () => tenantsTouched(named(), data, catalogue),
  }
  return plan
}

/** The data without notes of what was asked: decisions are made anew, never kept. */
export function plainData(workingSet: Decided, { keyOf }: Catalogue): Data {
  const rows = (kind: string, ids: readonly number[]) => ids.map((id) => workingSet.get(kind, id)!)
  const { render, unseal } = new Notes(null)
  const data = {
    get: (kind: string, id: number | null) => (id === null ? undefined : workingSet.get(kind, id)),
    by: (kind: string, index: string, key: Key) => rows(kind, workingSet.ids(kind, index, key)),
    ids: (kind: string, index: string, key: Key) => [...workingSet.ids(kind, index, key)],
    has: (kind: string, index: string, key: Key) => workingSet.ids(kind, index, key).length > 0,
    all: (kind: string) => rows(kind, workingSet.allIds(kind)),
    kept: (fragment: Fragment, keys: FragmentKey[], warn: Making['warn']) =>
      fragment.make({ data: asReader(data), warn, render, unseal }, ...keys),
    keyOf,
  } as unknown as Data
  return data
}

function taken({ row, faults }: { row: Row | null; faults: Fault[] }): Row {
  if (!row) throw invalid(faults)
  return row
}

/** Every field of a stored record is there; what was not given has its fallback. */
function complete(resource: Resource, values: Record<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    row[name] = values[name] === undefined ? (notes.fallback ?? null) : values[name]
  }
  return row
}

function danglingReferences(
  resource: Resource,
  after: Row,
  before: Row | null,
  workingSet: Decided,
  catalogue: Catalogue,
): Fault[] {
  const faults: Fault[] = []
  const owner = resource.idRefersTo
  if (owner && !workingSet.get(owner, after.id)) {
    faults.push({ path: 'id', text: `there is no ${catalogue.of(owner).label} with id ${after.id}` })
  }
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    if (!notes.ref || same(after[name], before?.[name])) continue
    for (const id of [after[name] as number | null | readonly number[]].flat()) {
      if (id === null || workingSet.get(notes.ref, id as number)) continue
      faults.push({ path: name, text: `${name}: there is no ${catalogue.of(notes.ref).label} with id ${id}` })
    }
  }
  return faults
}

function duplicates(resource: Resource, after: Row, workingSet: Decided): Fault[] {
  const faults: Fault[] = []
  const single = Object.entries(resource.fields).filter(([, { notes }]) => notes.unique)
  for (const [name] of single) {
    const value = after[name] as Key | null
    if (value === null || !isTaken(name, value)) continue
    faults.push({ path: name, text: `a ${resource.label} with ${said(name)} already exists.`, status: 409 })
  }
  for (const names of resource.unique ?? []) {
    const key = uniqueKey(names.map((name) => after[name]))
    if (key === null || !isTaken(names.join('+'), key)) continue
    const text = `a ${resource.label} with ${names.map(said).join(' and ')} already exists.`
    faults.push({ path: names[0]!, text, status: 409 })
  }
  return faults

  function said(name: string): string {
    return `${name} ${isSecret(resource.fields[name]!.notes, after) ? mask : after[name]}`
  }

  function isTaken(index: string, key: Key): boolean {
    return workingSet.ids(resource.kind, index, key).some((id) => id !== after.id && isAsSecret(id))
  }

  /** What is secret is not compared with what is not: a refusal would tell who may not see it that it was guessed. */
  function isAsSecret(id: number): boolean {
    const other = workingSet.get(resource.kind, id) as Row
    return Object.values(resource.fields).every(({ notes }) => isSecret(notes, other) === isSecret(notes, after))
  }
}
