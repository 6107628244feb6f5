import { same } from '../../compiler/data/kindTable.js'
import type { Trial } from '../../compiler/data/workingSet.js'
import type { Fault } from '../config/errors.js'
import { conflict, invalid, noSuch } from '../config/errors.js'
import { drained } from '../flow/slices.js'
import type { Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import { reachesTenant, seesSecrets } from '../schema/privileges.js'
import type { Change, LogLine, StoredRecord } from '../store/store.js'
import { duplicates, missing } from './checks.js'
import { foundationFaults } from './foundations.js'
import type { RecordKinds } from './kinds.js'
import { plainData } from './plainData.js'
import type { RecordKind } from './recordKind.js'
import { isOthers, outsideFaults, tenantsTouched } from './tenancy.js'
import type { Decided, DecidedTransaction, Transaction } from './transaction.js'

interface Given {
  readonly workingSet: Decided
  readonly trial: Pick<Trial, 'change' | 'takeId' | 'reserve'>
  readonly catalogue: RecordKinds
  readonly user: Caller
  readonly time: string
  readonly revision: number
}

/** Begins a transaction, whose time is the one an entry has that is made now. */
export type Begin = (on: Omit<Given, 'catalogue' | 'time'>) => DecidedTransaction

export function createTransaction(given: Given): DecidedTransaction {
  const { workingSet, trial, catalogue, user, time, revision } = given
  const data = plainData(workingSet, catalogue)
  const changes = new Map<string, Change>()
  const lines: LogLine[] = []
  const mentioned: { kind: string; before: object | null; after: null }[] = []
  const advice = new Map<string, readonly string[]>()
  let quiet = false

  const place = (resource: RecordKind, id: number, before: Row | null, after: Row | null): void => {
    trial.change(resource.kind, id, after)
    const name = `${resource.kind}/${id}`
    const first = changes.get(name)
    const earliest = first ? first.before : (before as StoredRecord | null)
    if (earliest === null && after === null) changes.delete(name)
    else changes.set(name, { kind: resource.kind, id, before: earliest, after: after as StoredRecord | null })
    if (after !== null && resource.advises) advice.set(name, [...resource.advises(after)])
    resource.revokes?.(transaction, { before, after })
    if (!quiet) resource.afterChange?.(transaction, { before, after })
  }

  const attempt: Transaction['tryCreate'] = (kind, values, id) => {
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
    return { row: data.get(kind as Kind, row.id) as Row, faults }
  }

  const amend: Transaction['tryUpdate'] = (kind, id, values) => {
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
    return { row: data.get(kind as Kind, id) as Row, faults }
  }

  const check = (resource: RecordKind, after: Row, before: Row | null): Fault[] => [
    ...missing(resource, after, before, workingSet),
    ...duplicates(resource, after, workingSet),
    ...outsideFaults(resource, { before, after }, { data, catalogue, user }),
    ...foundationFaults(resource, { before, after }, { data, catalogue, user }),
    ...(resource.rules?.({ before, after, data, user }) ?? []),
  ]

  function* remove(kind: string, id: number, cascading = false): Generator<void, void> {
    const resource = catalogue.of(kind)
    const before = workingSet.get(kind, id) as Row | undefined
    if (!before) throw noSuch(resource.label, id)
    const kept = [...(resource.deleteGuard?.(before, { data, user }) ?? [])]
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
  const usersSaid = ({ kind, tenant }: RecordKind, ids: readonly number[]): string => {
    const known = tenant
      ? ids.filter((id) => reachesTenant(data, user, tenant(workingSet.get(kind, id) as Row, data)))
      : ids
    if (known.length === 0) return `${kind} of other tenants`
    const others = known.length < ids.length ? ', and of other tenants' : ''
    return `${kind} (${known.length}), for instance ${known[0]}${others}`
  }

  /** What belongs to nobody goes out of the records that have it, unless one is another tenant's. */
  function* mustBeOwn({ label }: RecordKind, other: RecordKind, ids: readonly number[]): Generator<void, void> {
    for (const id of ids) {
      yield
      if (isOthers(other, workingSet.get(other.kind, id) as Row, { data, user }))
        throw conflict(`This ${label} is currently used by ${other.kind} of other tenants.`)
    }
  }

  const clear = (other: RecordKind, field: string, user: number, id: number): void => {
    const before = workingSet.get(other.kind, user) as Row
    const held = before[field]
    const value = Array.isArray(held) ? held.filter((one) => one !== id) : null
    place(other, user, before, { ...before, [field]: value, lastUpdated: time })
  }

  function* named() {
    yield* changes.values()
    yield* mentioned
  }

  const transaction: DecidedTransaction = {
    data,
    user,
    time,
    revision,
    // A row of the kind that was asked for: its fields were checked.
    create: (kind, values, id) => taken(attempt(kind, values as Record<string, unknown>, id)) as never,
    // As above.
    update: (kind, id, values) => taken(amend(kind, id, values as Record<string, unknown>)) as never,
    remove: (kind, id) => drained(remove(kind, id)),
    removeInSteps: (kind, id) => remove(kind, id),
    lastId: (kind) => workingSet.lastId(kind),
    reserve: (kind, id) => trial.reserve(kind, id),
    withoutEffects: (run) => {
      quiet = true
      try {
        return run()
      } finally {
        quiet = false
      }
    },
    completeRecord: (kind, id) =>
      catalogue.of(kind).afterChange?.(transaction, { before: null, after: workingSet.get(kind, id) as Row }),
    log: (message, level = 'APICHANGE', ticketNum = null) => {
      lines.push({ level, message, ticketNum })
    },
    mention: (kind, id) => {
      mentioned.push({ kind, before: workingSet.get(kind, id) ?? null, after: null })
    },
    tryCreate: attempt,
    tryUpdate: amend,
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
  return transaction
}

function taken({ row, faults }: { row: Row | null; faults: Fault[] }): Row {
  if (!row) throw invalid(faults)
  return row
}

/** Every field of a stored record is there; what was not given has its fallback. */
function complete(resource: RecordKind, values: Record<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    row[name] = values[name] === undefined ? (notes.default ?? null) : values[name]
  }
  return row
}
