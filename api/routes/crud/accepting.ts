import type { Fault } from '../../config/errors.js'
import { ApiError, invalid } from '../../config/errors.js'
import type { Draft, Transaction } from '../../journal/transaction.js'
import type { RequestInput } from '../../operations/endpoint.js'
import type { Values } from '../../records/recordBody.js'
import { asSpelled } from '../../records/spellings.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Records } from '../../schema/records.js'
import type { Resource } from './resource.js'

/** Rows and values of a kind; of any, where none is named. */
export type RowOf<K extends string> = K extends Kind ? Records[K] : Row
export type ValuesOf<K extends string> = K extends Kind ? Partial<Draft<K>> : Values

/** One record that is to be written. */
export interface Asked<K extends string = string> {
  /** The body, with what the path gives. */
  readonly stated: Values
  readonly input: RequestInput
  readonly transaction: Transaction
  /** `null`: it is new. */
  readonly before: RowOf<K> | null
}

/** What a route says of a body beyond the declaration of its fields. */
export interface Accepting<K extends string = string> {
  /** Changes to the values, from what else the body stated, before they are checked against the rules. */
  readonly prepare?: (values: ValuesOf<K>, asked: Asked<K>) => ValuesOf<K>
  /** What is wrong with the body beside its fields, such as one that only some records must have. */
  readonly lacking?: (values: ValuesOf<K>, asked: Asked<K>) => Iterable<Fault>
  /** Refuses before anything is decided (a secure parameter, a role too high). */
  readonly allow?: (input: RequestInput, transaction: Transaction, before: RowOf<K> | null, values: ValuesOf<K>) => void
}

interface Read {
  readonly values: Values
  readonly faults: readonly Fault[]
}

/**
 * The values a record is to get. If anything is wrong with them, whatever else would be is said in the same answer, as far
 * as it can be told without what is wrong.
 *
 * @throws ApiError 400, 409 with all that is wrong; 403, 404 alone, as nothing else matters then
 */
export function accepted(resource: Resource, { values, faults }: Read, asked: Asked, options: Accepting): Values {
  const { input, transaction, before } = asked
  const wrong = new Set(faults.map(({ path }) => path.split('.')[0]!))
  const right = Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name)))
  const prepared = options.prepare?.(right, asked) ?? right
  const spelled = (found: Iterable<Fault>) => asSpelled(resource, asked.stated, [...found])
  const all = [...faults, ...spelled(options.lacking?.(prepared, asked) ?? [])]
  all.push(...faultsOf(() => options.allow?.(input, transaction, before, prepared)))
  if (all.length === 0) return prepared
  const named = new Set(all.map(({ path }) => path.split('.')[0]!).filter((name) => name in resource.fields))
  const others = transaction.judge(resource.kind, before?.id ?? null, prepared, named)
  throw invalid([...all, ...spelled(others.filter(({ path }) => !named.has(path.split('.')[0]!)))])
}

/** Why a body is not taken; who may not ask at all is told no more than that. */
function faultsOf(check: () => void): Fault[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 409)) throw error
    const { status, texts } = error
    return texts.map((text) => ({ path: '', text, status: status as 400 | 409 }))
  }
}
