import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Fault } from '../config/errors.js'
import { invalid } from '../config/errors.js'
import { checker } from '../records/check.js'
import { isNothing } from '../records/nothing.js'
import type { Values } from '../records/recordBody.js'
import { lenient } from '../records/recordBody.js'
import type { Field, Fields } from '../schema/fields.js'
import { objectSchema } from '../schema/fields.js'
import { objectOf } from './bodies.js'
import type { Body } from './endpoint.js'

/** What a body of these fields says; a field that may be absent has its default then. */
export type Said<F extends Fields> = { readonly [N in keyof F]: Static<F[N]> }

export interface FieldsBody<T> extends Body<T> {
  /**
   * @param also what only the data can tell, of the fields that are right by themselves; said in the same answer
   * @throws ApiError 400 with all that is wrong
   */
  readonly read: (given: unknown, also?: (found: Partial<T>) => readonly Fault[]) => T
}

/**
 * A body that is no record, declared by fields as records are: from them it is documented, checked and typed, and it is
 * read as leniently (numbers and flags as text, numbers for text). One that is absent is an empty object.
 *
 * @param options.missing what is said, and nothing else, when required fields are missing; by default each is named beside
 * whatever else is wrong
 */
export function fieldsBody<F extends Fields>(
  fields: F,
  { missing }: { missing?: (names: readonly string[]) => string } = {},
): FieldsBody<Said<F>> {
  const schema: TSchema = Type.Unsafe({ type: 'object', ...objectSchema(fields) })
  const check = checker(schema)
  return {
    schema,
    read: (given, also = () => []) => {
      const stated = statedIn(fields, objectOf(given ?? {}))
      const lacking = schema.required.filter((name: string) => !(name in stated))
      if (missing && lacking.length > 0) throw invalid([{ path: lacking[0], text: missing(lacking) }])
      const faults = check(stated).map((fault) => inItsWords(fault, fields, stated))
      const wrong = new Set(faults.map(({ path }) => path.split('.')[0]!))
      const right = Object.entries(completed(fields, stated)).filter(([name]) => !wrong.has(name))
      // What is left fits the fields.
      const found = Object.fromEntries(right) as Said<F>
      const all = [...faults, ...also(found).filter(({ path }) => !wrong.has(path))]
      if (all.length > 0) throw invalid(all)
      return found
    },
  }
}

/** The values by their fields, as clients write them; null or an empty text is none where it would say nothing. */
function statedIn(fields: Fields, given: Values): Values {
  const stated: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = statedOne(field, Object.hasOwn(given, name) ? given[name] : undefined)
    if (value !== undefined) stated[name] = value
  }
  return stated
}

function statedOne(field: Field, given: unknown): unknown {
  if (field.properties) return isObject(given ?? {}) ? statedIn(field.properties, (given ?? {}) as Values) : given
  return isNothing(field, given) ? undefined : lenient(field, given)
}

/** With the defaults of what may be absent. */
function completed(fields: Fields, stated: Values): Values {
  const complete: Values = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = name in stated ? stated[name] : field.notes.default
    complete[name] = field.properties && isObject(value) ? completed(field.properties, value) : value
  }
  return complete
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A fault as the field words it; that it is missing needs no other words. */
function inItsWords(fault: Fault, fields: Fields, stated: Values): Fault {
  let [field, value, within]: [Field | undefined, unknown, Fields | undefined] = [undefined, stated, fields]
  for (const name of fault.path.split('.')) {
    field = within?.[name] ?? field
    value = isObject(value) ? value[name] : value
    within = field?.properties
  }
  const must = field?.notes.must
  return must === undefined || value === undefined ? fault : { ...fault, text: `${fault.path} ${must}` }
}
