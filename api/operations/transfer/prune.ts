import { ApiError, type Fault } from '../../config/errors.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Importing } from './importCollection.js'
import { nameOf, referenceTo } from './recordNames.js'

/**
 * Removes what a document does not have, of the collections that it has: a record a step, those first that refer to
 * others of them. What the service itself would add to a record of the document stays, as the document need not say it.
 *
 * A record that cannot be removed is a fault, and so is one of the document that cannot be as it says without it.
 *
 * @returns how many went
 */
export function* prune(kinds: ReadonlySet<string>, importing: Importing): Generator<void, number> {
  const { plan: transaction, catalogue, made, faults } = importing
  const { data } = transaction
  const said = new Map<string, Made>()
  const kept = new Set<string>()
  for (const [path, { resource, row }] of made) {
    said.set(path, { resource, row: data.get(resource.kind as Kind, row.id) as Row })
    kept.add(`${resource.kind}/${row.id}`)
    for (const [kind, id] of resource.implies?.(row, data) ?? []) kept.add(`${kind}/${id}`)
    yield
  }
  let count = 0
  for (const resource of catalogue.dependencyOrder.toReversed()) {
    if (!kinds.has(resource.kind) || resource.transient) continue
    const rows = (data.all(resource.kind as Kind) as readonly Row[]).filter(
      ({ id }) => !kept.has(`${resource.kind}/${id}`),
    )
    count += rows.length
    for (const row of yield* referringFirst(resource, rows, importing)) {
      yield
      for (const fault of yield* removed(resource, row, transaction, catalogue)) faults.add(fault)
    }
  }
  for (const [path, one] of said) {
    yield
    for (const { text } of asSaid(one, transaction)) {
      faults.add({ path, text: `${path}: goes with a record that the document does not have: ${text}` })
    }
  }
  return count
}

interface Made {
  readonly resource: RecordKind
  readonly row: Row
}

/** Brings a record back to what the document says, when it changed or went with one that was removed. */
function asSaid({ resource, row }: Made, transaction: Transaction): readonly Fault[] {
  const { kind, fields } = resource
  const now = transaction.data.get(kind as Kind, row.id) as Row | undefined
  if (now === row) return []
  const values = Object.fromEntries(Object.keys(fields).map((name) => [name, row[name]]))
  return transaction.withoutEffects(() =>
    now ? transaction.tryUpdate(kind, row.id, values) : transaction.tryCreate(kind, values, row.id),
  ).faults
}

/** Of records of one kind, each after those that refer to it. */
function* referringFirst(
  resource: RecordKind,
  rows: readonly Row[],
  { catalogue, plan: { data } }: Importing,
): Generator<void, Row[]> {
  const own = catalogue.referrers(resource.kind).filter((one) => one.resource.kind === resource.kind)
  if (own.length === 0) return [...rows]
  const waiting = new Map(rows.map((row) => [row.id, row]))
  const ordered: Row[] = []
  const path: Row[] = []
  for (const row of rows) {
    if (waiting.delete(row.id)) path.push(row)
    while (path.length > 0) {
      yield
      const last = path.at(-1)!
      const referring = own.flatMap(({ field }) => data.ids(resource.kind as Kind, field, last.id))
      const next = waiting.get(referring.find((id) => waiting.has(id)) ?? 0)
      if (next) {
        waiting.delete(next.id)
        path.push(next)
      } else ordered.push(path.pop()!)
    }
  }
  return ordered
}

function* removed(
  resource: RecordKind,
  row: Row,
  transaction: Transaction,
  catalogue: RecordKinds,
): Generator<void, Fault[]> {
  const { kind } = resource
  // A cascade or an effect may have taken it along.
  if (!transaction.data.get(kind as Kind, row.id)) return []
  const name = nameOf(resource, row, (of, id) => referenceTo(of, id, transaction.data, catalogue))
  const fault = (text: string): Fault => ({ path: kind, text: `${kind}: '${name}' cannot be removed: ${text}` })
  try {
    const links = linksOf(resource, row)
    if (links !== null) transaction.update(kind as Kind, row.id, links)
    yield* transaction.removeInSteps(kind as Kind, row.id)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.texts.map(fault)
  }
}

/** The links that a record holds and other routes change: they go with it, where by hand they would be in its way. */
function linksOf({ fields }: RecordKind, row: Row): Record<string, readonly number[]> | null {
  const held = Object.entries(fields).filter(
    ([name, { notes }]) => notes.ref && notes.readOnly && Array.isArray(row[name]) && row[name].length > 0,
  )
  return held.length === 0 ? null : Object.fromEntries(held.map(([name]) => [name, []]))
}
