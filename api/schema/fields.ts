import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Version } from '../config/apiVersions.js'

/**
 * The fields of a record, declared once: from them come the body check, the TypeScript type, the references and
 * uniqueness rules, the indexes and the OpenAPI document.
 *
 * A stored record always has every field; `null` stands for "not set". In a body: a value sets, `null` clears a
 * field that may be absent, a missing optional field keeps what was there (or takes its default on creation).
 */
export interface FieldNotes {
  /** What the value says, its unit, what its numbers stand for: for the OpenAPI document and whoever reads the code. */
  description?: string
  /** The kind this field's id refers to. */
  ref?: string
  /** Names under which a body or import may give the referred record's natural key; the first is shown in answers. */
  nameAliases?: readonly string[]
  /** What happens to this record when the referred one is deleted. Default: the deletion is refused. */
  onDelete?: 'restrict' | 'cascade' | 'clear'
  /** No two records of the kind share a value. */
  unique?: boolean
  /** Other spellings accepted in bodies. */
  aliases?: readonly string[]
  /** The value on creation when the body has none; its presence makes the field optional. */
  default?: unknown
  /** Required on creation only: an update without it keeps what was there. */
  kept?: boolean
  /** Brings another spelling of the same text to the stored one, before it is checked. */
  normalize?: (text: string) => string
  /** Set by the service, never taken from a body of the API (an import may carry it). */
  readOnly?: boolean
  /** Shown to administrators only; others see asterisks. Sealed in the store. */
  secret?: boolean
  /** `secret` in those records in which this flag, a field of the same record, is set. */
  secretWhen?: string
  /** Never shown to anybody and left out of change logs. */
  hidden?: boolean
  /** Numbers do not stand for this text. */
  exact?: boolean
  /** What is said after its name of any value that it cannot have, where the rule it broke says less: `must be …`. */
  must?: string
  /** The first version that shows it; without one, all do. */
  since?: Version
}

export type Field<T = unknown> = TSchema & { static: T; notes: FieldNotes }
export type Fields = Readonly<Record<string, Field>>
export type RecordOf<F extends Fields> = Readonly<
  { id: number; lastUpdated: string } & { [K in keyof F]: Static<F[K]> }
>

type JsonSchema = Record<string, unknown>
const field = <T>(schema: JsonSchema, notes: FieldNotes = {}) =>
  // TypeBox knows nothing of the notes beside its own keys.
  Type.Unsafe<T>({ ...schema, notes }) as unknown as Field<T>

/**
 * No control characters but tab, line feed and carriage return: NUL and friends reach neither store nor files. Patterns
 * are part of the OpenAPI document, so they are written as JavaScript, Python, Go and Rust all read them: without
 * lookahead and without halves of surrogate pairs. Those are refused where bodies are checked, by `printable`.
 */
export const printable = {
  /** With tabs, as the values of a table are apart by. */
  tabs: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f\\x85\u2028\u2029]*$',
  lines: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$',
  line: '^[^\\x00-\\x1f\\x7f\\x85\u2028\u2029]*$',
} as const

interface PlainText extends FieldNotes {
  min?: number
  /** Longest accepted, in UTF-16 code units. */
  max?: number
  format?: string
  /** The longest host of a URL, without brackets. */
  hostLength?: number
  /** May hold tabs. */
  tabs?: boolean
  /** May hold line breaks and tabs. */
  lines?: boolean
}

/** A pattern, and the form that it wants, as it is said after `must be` of a text that has another. */
type Patterned =
  | { readonly pattern: string; readonly form: string }
  | { readonly pattern?: never; readonly form?: never }

type TextOptions = PlainText & Patterned

/** The forms of all text, in the words of a refusal. */
const plainForms = {
  line: 'one line of text, without control characters',
  tabs: 'one line of text, without control characters other than tabs',
  lines: 'text without control characters other than line breaks and tabs',
} as const

export function text({
  min = 1,
  max = 255,
  pattern,
  form,
  format,
  hostLength,
  tabs = false,
  lines = false,
  ...notes
}: TextOptions = {}): Field<string> {
  const characters = lines ? 'lines' : tabs ? 'tabs' : 'line'
  const spelling = {
    pattern: pattern ?? printable[characters],
    printable: characters,
    form: form ?? plainForms[characters],
  }
  const byFormat = format === undefined ? {} : { format }
  const byHost = hostLength === undefined ? {} : { hostLength }
  return field({ type: 'string', minLength: min, maxLength: max, ...spelling, ...byFormat, ...byHost }, notes)
}

/** A name without white space: host names, xml ids, profile names. */
export const word = (options: PlainText = {}) =>
  text({ pattern: '^\\S+$', form: 'one word, without spaces', ...options })

/** Letters, digits, dot, hyphen and underscore. */
export const identifier = (options: PlainText = {}) =>
  text({ pattern: '^[A-Za-z0-9._-]+$', form: 'letters, digits, dots, hyphens and underscores', ...options })

export const hostLabel = (options: PlainText = {}) =>
  text({
    max: 48,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$',
    form: 'one label of a host name: letters, digits and hyphens, none of these first or last',
    ...options,
  })

const label = '[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'
const labels = `${label}(\\.${label})*`

/** A DNS name, without a trailing dot. */
export const dnsName = (options: PlainText = {}) =>
  text({
    max: 253,
    pattern: `^${labels}$`,
    form: 'a DNS name without a final dot, such as www.example.net',
    ...options,
  })

/** The host of a URL, as a pattern: a DNS name or an IPv6 address in brackets. `hostLength` says how long a name. */
export const urlHost = `(${labels}|\\[[0-9A-Fa-f:.]{2,45}\\])`

export const ipv4 = (notes: FieldNotes = {}) => text({ max: 15, format: 'ipv4', ...notes })
/** An IPv6 address, with or without a prefix length. */
export const ipv6 = (notes: FieldNotes = {}) => text({ max: 43, format: 'ipv6-cidr', ...notes })

interface NumberOptions extends FieldNotes {
  min?: number
  max?: number
}

export const integer = ({ min = 0, max = Number.MAX_SAFE_INTEGER, ...notes }: NumberOptions = {}) =>
  field<number>({ type: 'integer', minimum: min, maximum: max }, notes)
export const port = (notes: FieldNotes = {}) => integer({ min: 1, max: 65535, ...notes })
export const decimal = ({ min = -1e15, max = 1e15, ...notes }: NumberOptions = {}) =>
  field<number>({ type: 'number', minimum: min, maximum: max }, notes)
export const latitude = (notes: FieldNotes = {}) => decimal({ min: -90, max: 90, ...notes })
export const longitude = (notes: FieldNotes = {}) => decimal({ min: -180, max: 180, ...notes })
export const flag = (notes: FieldNotes = {}) => field<boolean>({ type: 'boolean' }, notes)
export const oneOf = <const V extends readonly (string | number)[]>(values: V, notes: FieldNotes = {}) =>
  field<V[number]>({ type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values }, notes)
/** ISO 8601 in the store; bodies may also write `YYYY-MM-DD HH:MM:SS`, taken as UTC. */
export const moment = (notes: FieldNotes = {}) => text({ max: 40, format: 'moment', ...notes })

/** The id of a record of another kind. */
export const ref = (kind: string, notes: FieldNotes = {}) =>
  field<number>({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { ref: kind, ...notes })

/** Ids of records of another kind, ascending, each once. */
export const refs = (kind: string, notes: FieldNotes & { max?: number } = {}) => {
  const { max = 100_000, ...rest } = notes
  return field<readonly number[]>(
    { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: max },
    { ref: kind, onDelete: 'clear', default: [], ...rest },
  )
}

export const texts = ({ max = 100, ...options }: TextOptions & { max?: number } = {}) => {
  const { notes, ...items } = text(options) as Field<string> & JsonSchema
  return field<readonly string[]>(
    { type: 'array', items, maxItems: max, uniqueItems: true },
    { ...notes, default: options.default ?? [] },
  )
}

/** Text of any length and with any characters, but not empty, for whoever reads it to judge: certificates, the end of a log. */
export const anyText = (notes: FieldNotes = {}) => field<string>({ type: 'string', minLength: 1 }, notes)

/** Fields within a field of a body; records have none. */
export const nested = <F extends Fields>(fields: F, notes: FieldNotes = {}) =>
  field<{ readonly [N in keyof F]: Static<F[N]> }>({ type: 'object', ...objectSchema(fields) }, notes)

/** What an object of fields must hold. */
export function objectSchema(fields: Fields): { properties: Fields; required: string[] } {
  const required = Object.keys(fields).filter((name) => !('default' in fields[name]!.notes))
  return { properties: fields, required }
}

/** The field may be absent: `null` when it is. */
export function optional<T>(inner: Field<T>): Field<T | null> {
  const { notes, type, ...schema } = inner as Field<T> & JsonSchema
  const withNull = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return field<T | null>({ ...schema, ...withNull, type: [type, 'null'] }, { default: null, ...notes })
}
