import type { Key } from '../../compiler/data/kindSchema.js'
import type { Fault } from '../config/errors.js'
import type { Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import { isSecret, mask } from '../schema/secrecy.js'
import { uniqueKey } from './kinds.js'
import type { RecordKind } from './recordKind.js'
import { dangling, danglingReferences } from './references.js'
import type { Decided } from './transaction.js'

/** References to records that are not there, and an owner that is not. */
export function missing(resource: RecordKind, after: Row, before: Row | null, workingSet: Decided): Fault[] {
  const owner = resource.idRefersTo as Kind | undefined
  const isThere = (kind: Kind, id: number) => workingSet.get(kind, id) !== undefined
  return [
    ...(owner && !isThere(owner, after.id) ? [dangling('id', owner, after.id)] : []),
    ...danglingReferences(resource, after, before, isThere),
  ]
}

/** Values that another record of the kind has and no two may share. */
export function duplicates(resource: RecordKind, after: Row, workingSet: Decided): Fault[] {
  const faults: Fault[] = []
  const single = Object.entries(resource.fields).filter(([, { notes }]) => notes.unique)
  for (const [name] of single) {
    const value = after[name] as Key | null | undefined
    if (value === null || value === undefined || !isTaken(name, value)) continue
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
