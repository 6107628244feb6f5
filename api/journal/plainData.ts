import { Notes } from '../../compiler/core/notes.js'
import type { Fragment, FragmentKey, Making } from '../../compiler/core/reader.js'
import type { Key } from '../../compiler/data/kindSchema.js'
import type { Data } from '../schema/data.js'
import { asReader } from '../schema/data.js'
import type { RecordKinds } from './kinds.js'

import type { Decided } from './transaction.js'
/** The data without notes of what was asked: decisions are made anew, never kept. */
export function plainData(workingSet: Decided, { keyOf }: RecordKinds): Data {
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
    // `Data` says which kind has which fields and keys; here they are all alike.
  } as unknown as Data
  return data
}
