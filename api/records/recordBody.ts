import { type TSchema, Type } from '@sinclair/typebox'
import type { Fault } from '../config/errors.js'
import { quoted } from '../config/errors.js'
import { parseMoment } from '../config/times.js'
import type { RecordKind } from '../journal/recordKind.js'
import { dangling, danglingReferences } from '../journal/references.js'
import type { Data, Kind } from '../schema/data.js'
import type { Field, FieldNotes, Fields } from '../schema/fields.js'
import { mask } from '../schema/secrecy.js'
import { checker } from './check.js'
import { absence, isNothing } from './nothing.js'
import type { BodyMode } from './recordSchema.js'
import { isRequired } from './recordSchema.js'
import { asSpelled, spellingIn } from './spellings.js'
import { unknownFields } from './unknownFields.js'

export type Values = Record<string, unknown>

interface ReadOptions {
  readonly mode: BodyMode
  readonly data: Data
  /** An import carries what the service otherwise manages itself. */
  readonly managed?: boolean
  /** Refuses fields that no record of the kind has, and to be without what a record must have: nothing is passed over. */
  readonly strict?: boolean
  /** What the body may say beside the fields: it is checked, and left to whoever reads it. */
  readonly more?: Readonly<Record<string, TSchema>>
}

/**
 * Takes a record's fields out of a body: lenient about numbers and booleans written as strings, about other
 * spellings and about references given by name; exact about everything else. Unknown fields are passed over unless it is
 * `strict`.
 *
 * What says nothing (`null`, an empty text) is as good as left out when a record is made. When one is changed it clears
 * what may be absent, and keeps everything else. In a document it is what the record has.
 */
export function readBody(
  resource: RecordKind,
  body: unknown,
  options: ReadOptions,
): { values: Values; faults: Fault[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { values: {}, faults: [{ path: '', text: 'The body must be a JSON object.' }] }
  }
  const given = body as Values
  const { more = {} } = options
  const faults: Fault[] = options.strict
    ? unknownFields(resource, given, { managed: options.managed ?? false, more: Object.keys(more) })
    : []
  const values: Values = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.notes.readOnly && !options.managed) continue
    const found = fieldValue(given, name, field, options, faults)
    if (found !== undefined) values[name] = found
  }
  const named = new Set(faults.map(({ path }) => path))
  for (const fault of checkFor(resource, options)(values))
    if (!named.has(fault.path.split('.')[0] ?? '')) faults.push(fault)
  for (const [name, schema] of Object.entries(more)) {
    if (!(name in resource.fields)) faults.push(...faultsOfValue(name, schema, given))
  }
  // What is said again when the record is decided, here beside the other faults. An import brings what it refers to.
  if (!options.managed && faults.length > 0) {
    const said = new Set(faults.map(({ path }) => path.split('.')[0]))
    const isThere = (kind: Kind, id: number) => options.data.get(kind, id) !== undefined
    faults.push(...danglingReferences(resource, values, null, isThere).filter(({ path }) => !said.has(path)))
  }
  return { values, faults: [...asSpelled(resource, given, faults)] }
}

const valueCheckers = new WeakMap<TSchema, ReturnType<typeof checker>>()

/** What is wrong with what a body says beside the fields. */
function faultsOfValue(name: string, schema: TSchema, given: Values): Fault[] {
  if (!Object.hasOwn(given, name) || isNothing(schema, given[name])) return []
  let check = valueCheckers.get(schema)
  if (!check) {
    check = checker(Type.Unsafe({ type: 'object', properties: { [name]: schema } }))
    valueCheckers.set(schema, check)
  }
  return check({ [name]: lenient(schema, given[name]) })
}

function fieldValue(given: Values, name: string, field: Field, options: ReadOptions, faults: Fault[]): unknown {
  const { mode, managed, strict } = options
  const spelling = spellingIn(given, name, field, mode !== 'create')
  if (spelling === undefined) return undefined
  const value = given[spelling]
  // Who may not see a secret sends the asterisks back: the secret stays what it was.
  if (field.notes.secret && value === mask) return undefined
  if (isNothing(field, value)) {
    // Who sends everything and knows nothing sends null; who sends an empty text for what must be there means that.
    if (mode === 'patch' && (strict || value !== null) && isRequired(field, 'create'))
      faults.push({ path: name, text: `${name} cannot be without a value` })
    return mode === 'create' && !managed ? undefined : absence(field)
  }
  const read = lenient(field, value)
  if (!field.notes.ref || typeof read === 'number') return read
  const known = faults.length
  const named = byName(field, spelling, read, options, faults)
  // Said in the words of the client, kept under the field's own name.
  for (let at = known; at < faults.length; at++) faults[at] = { ...faults[at]!, path: name }
  return named ?? (faults.length > known ? undefined : read)
}

/** The id (or ids) of the record a name stands for; a fault when there is none. */
function byName(field: Field, path: string, value: unknown, options: ReadOptions, faults: Fault[]): unknown {
  const kind = field.notes.ref!
  const key = options.data.keyOf(kind)
  const resolve = (name: unknown): unknown => {
    if (typeof name !== 'string' || key === null) return name
    const [found, second] = options.data.ids(kind as Kind, key, name)
    if (found !== undefined && second === undefined) return found
    if (found === undefined) faults.push(dangling(path, kind as Kind, name))
    else faults.push({ path, text: `${path}: '${quoted(name)}' names several records` })
    return undefined
  }
  if (Array.isArray(value)) return sortedOnce(value.map(lenientId).map(resolve))
  return resolve(value)
}

/** Ids come as digits from versions 1.1 and 1.2. */
export const lenientId = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value

/** Numbers and booleans may come as strings, booleans as 0 and 1: the field's clients always sent both. */
export function lenient(field: TSchema, given: unknown): unknown {
  const types = [field.type as string | string[]].flat()
  const { normalize: tidy, ref, exact } = ((field as Field).notes ?? {}) as FieldNotes
  const value = typeof given === 'string' && tidy ? tidy(given) : given
  // The field's portals send -1 for a reference that was cleared.
  if (ref && value === -1 && types.includes('null')) return null
  if (types.includes('integer') || types.includes('number')) {
    return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value
  }
  if (types.includes('boolean')) {
    if (value === 1 || value === '1' || value === 'true') return true
    if (value === 0 || value === '0' || value === 'false') return false
    return value
  }
  if (field.format === 'moment' && typeof value === 'string') return parseMoment(value) ?? value
  if (types.includes('array') && Array.isArray(value)) {
    const items = field.items as TSchema | undefined
    const list = items ? value.map((element) => lenient(items, element)) : value
    return ref ? sortedOnce(list) : list
  }
  // Many clients send numbers for fields that are text here (ticket numbers, rack names).
  const standsForText = typeof value === 'number' && !exact && !Array.isArray(field.enum)
  if (types.includes('string') && standsForText) return String(value)
  return value
}

function sortedOnce(ids: readonly unknown[]): unknown[] {
  const numbers = ids.every((id) => typeof id === 'number')
  return numbers ? [...new Set(ids as number[])].sort((a, b) => a - b) : [...ids]
}

const checkers = new Map<string, (value: unknown) => Fault[]>()

function checkFor(
  resource: RecordKind,
  { mode, managed = false }: Pick<ReadOptions, 'mode' | 'managed'>,
): (value: unknown) => Fault[] {
  const name = `${resource.kind} ${mode} ${managed}`
  let check = checkers.get(name)
  if (!check) {
    check = checker(bodySchema(resource.fields, mode, managed))
    checkers.set(name, check)
  }
  return check
}

/**
 * Makes the checks ahead of the first bodies, one a step: some take tens of milliseconds, and whoever came first would
 * wait for them. Those of an import come first, as it has bodies of all kinds.
 */
export function* prepareChecks(resources: readonly RecordKind[], isStopped: () => boolean): Generator<void, void> {
  for (const reading of readings) {
    for (const resource of resources) {
      if (isStopped()) return
      checkFor(resource, reading)({})
      yield
    }
  }
}

/** How bodies are read. */
const readings = [
  { mode: 'create', managed: true },
  { mode: 'patch', managed: true },
  { mode: 'create' },
  { mode: 'replace' },
  { mode: 'patch' },
] as const

/** The JSON schema of a body whose names and spellings are read. */
function bodySchema(fields: Fields, mode: BodyMode, managed: boolean): TSchema {
  const own = Object.entries(fields).filter(([, { notes }]) => managed || !notes.readOnly)
  const required = own.filter(([, field]) => isRequired(field, mode)).map(([name]) => name)
  return Type.Unsafe({ type: 'object', properties: Object.fromEntries(own), required })
}
