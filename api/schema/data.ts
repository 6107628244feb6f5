import type { Reader } from '../../compiler/core/reader.js'
import type { Key } from '../../compiler/data/kindSchema.js'
import type { Records } from './records.js'

export type Kind = keyof Records & string

/**
 * The records as the API reads them: every field, every kind. What is asked is noted, as for a compile.
 * Indexes: every field that refers to another kind or is unique, by its name; unique combinations as `a+b`;
 * and those of the compiler's model.
 */
export interface Data {
  get<K extends Kind>(kind: K, id: number | null): Records[K] | undefined
  by<K extends Kind>(kind: K, index: string, key: Key): readonly Records[K][]
  ids(kind: Kind, index: string, key: Key): readonly number[]
  has(kind: Kind, index: string, key: Key): boolean
  all<K extends Kind>(kind: K): readonly Records[K][]
  /** The field by which people name a record of the kind. */
  keyOf(kind: string): string | null
}

export function findOne<K extends Kind>(data: Data, kind: K, index: string, key: Key): Records[K] | undefined {
  return data.by(kind, index, key)[0]
}

/** A path or query parameter that is an id: digits only, a safe integer; else `null`. */
export function asId(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return null
  return Number(text)
}

/** The kinds whose config files are asked for by id or by name. */
const namesOf = { servers: 'hostName', profiles: 'name', cdns: 'name' } as const

/** Which record a path means: by id when it is all digits and there is one, else by name. */
export function subjectOf(kind: keyof typeof namesOf, given: string | undefined, data: Data): number | null {
  const id = asId(given)
  if (id !== null && data.get(kind, id)) return id
  return findOne(data, kind, namesOf[kind], given ?? '')?.id ?? null
}

/** The same answers, typed as a compile sees them. */
// Every record fits the compiler's model, which names some of its fields: test/workingSet.test.ts holds them together.
export const asReader = (data: Data): Reader => data as unknown as Reader
