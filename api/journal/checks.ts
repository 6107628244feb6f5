import type { Key } from '../../compiler/data/kindSchema.js'
import { same } from '../../compiler/data/kindTable.js'
import type { Fault } from '../config/errors.js'
import type { Row } from '../schema/defineKind.js'
import { isSecret, mask } from '../schema/secrecy.js'
import type { Catalogue } from './kinds.js'
import { uniqueKey } from './kinds.js'
import type { Decided } from './plan.js'
import type { RecordKind } from './recordKind.js'
/** References to records that are not there; those that were there before are not looked at again. */
export function danglingReferences(
  resource: RecordKind,
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

/** Values that another record of the kind has and no two may share. */
export function duplicates(resource: RecordKind, after: Row, workingSet: Decided): Fault[] {
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
