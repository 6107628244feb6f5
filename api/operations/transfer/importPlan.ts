import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { same } from '../../../compiler/data/kindTable.js'
import { sortSteps } from '../../flow/sortSteps.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { DecidedTransaction } from '../../journal/transaction.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { named } from '../../schema/schemaNames.js'
import { isSecret, mask } from '../../schema/secrecy.js'
import type { Change } from '../../store/store.js'
import { nameOf, referenceTo } from './recordNames.js'

/** What an import would change, for whoever has to agree to it. */
export const importPlan = named(
  'ImportPlan',
  Type.Object({
    digest: Type.String({
      description: 'Names all of the changes. An import with `plan` of this value makes these, or none.',
    }),
    changes: Type.Array(
      named(
        'PlannedChange',
        Type.Object({
          kind: Type.String(),
          id: Type.Integer(),
          name: Type.String({ description: 'What people call the record.' }),
          action: Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')]),
          fields: Type.Array(Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
            description: 'Every field that changes; references by name, secrets as asterisks.',
          }),
        }),
      ),
    ),
    more: Type.Integer({ description: 'Changes beyond those that are listed; the digest is of all.' }),
  }),
)

export type ImportPlan = Static<typeof importPlan>
export type PlannedChange = ImportPlan['changes'][number]

/** More than anybody reads; who agrees to a first import agrees to its counts. */
const mostListed = 20_000

/**
 * What a transaction has come to, a change a step: in the order in which records depend on each other, what goes last.
 *
 * The digest is of what is in the records, not of when: the same document on the same records has the same one.
 */
export function* planSteps(transaction: DecidedTransaction, catalogue: RecordKinds): Generator<void, ImportPlan> {
  const rank = new Map(catalogue.dependencyOrder.map(({ kind }, at) => [kind, at]))
  const planned: Change[] = []
  for (const change of yield* transaction.changesInSteps()) {
    yield
    const { kind, before, after } = change
    // What machines and snapshots leave behind comes and goes between the plan and its import.
    if (!catalogue.of(kind).transient && !same(content(before), content(after))) planned.push(change)
  }
  const place = (one: Change): number => rank.get(one.kind)! * (one.after === null ? -1 : 1)
  const ordered = yield* sortSteps(
    planned,
    (a, b) => Number(a.after === null) - Number(b.after === null) || place(a) - place(b) || a.id - b.id,
  )
  const referTo = namingReferences(ordered, transaction, catalogue)
  const hash = createHash('sha256')
  const listed: PlannedChange[] = []
  for (const { kind, id, before, after } of ordered) {
    hash.update(JSON.stringify([kind, id, content(before), content(after)]))
    if (listed.length < mostListed)
      listed.push(shown(catalogue.of(kind), { before: before as Row | null, after: after as Row | null }, referTo))
    yield
  }
  return { digest: hash.digest('base64url'), changes: listed, more: planned.length - listed.length }
}

type ReferTo = (kind: string, id: number) => string | number

/** Names of records, those included that are not there any more. */
function namingReferences(changes: readonly Change[], { data }: DecidedTransaction, catalogue: RecordKinds): ReferTo {
  const old = new Map(changes.map(({ kind, id, before }) => [`${kind}/${id}`, before as Row | null]))
  const referTo: ReferTo = (kind, id) => {
    if (data.get(kind as Kind, id)) return referenceTo(kind, id, data, catalogue)
    const { key } = catalogue.of(kind)
    const name = key && old.get(`${kind}/${id}`)?.[key]
    return typeof name === 'string' ? name : id
  }
  return referTo
}

const content = (row: object | null): object | null => {
  if (row === null) return null
  const { lastUpdated: _, ...rest } = row as Row
  return rest
}

function shown(
  resource: RecordKind,
  { before, after }: { before: Row | null; after: Row | null },
  referTo: ReferTo,
): PlannedChange {
  const row = (after ?? before)!
  const action = before === null ? 'create' : after === null ? 'delete' : 'update'
  const fields = action === 'delete' ? [] : changedFields(resource, before, after!, referTo)
  return { kind: resource.kind, id: row.id, name: nameOf(resource, row, referTo), action, fields }
}

/** Of a new record what it has, apart from what nobody would miss. */
function changedFields({ fields }: RecordKind, before: Row | null, after: Row, referTo: ReferTo) {
  return Object.entries(fields).flatMap(([field, { notes }]) => {
    const [old, now] = [before?.[field] ?? null, after[field] ?? null]
    if (same(old, now) || (before === null && same(now, notes.default ?? null))) return []
    const say = (value: unknown, row: Row | null): unknown => {
      if (value === null || row === null) return null
      if (isSecret(notes, row)) return mask
      if (!notes.ref) return value
      return Array.isArray(value) ? value.map((id) => referTo(notes.ref!, id)) : referTo(notes.ref, value as number)
    }
    return [{ field, before: say(old, before), after: say(now, after) }]
  })
}
