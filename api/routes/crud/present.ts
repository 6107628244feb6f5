import type { Version } from '../../config/apiVersions.js'
import { isIn } from '../../config/apiVersions.js'
import { shownTime, zonedTime } from '../../config/times.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { seesSecrets } from '../../schema/privileges.js'
import { mask } from '../../schema/secrecy.js'
import type { Presenting, Resource } from './resource.js'

type Shape = Record<string, unknown>

/**
 * A record in the shape of a version. 1.3 is native: numbers, booleans, `null`, every field and joined name. 1.1 and
 * 1.2 show numbers as strings but for those the declaration lists; a version without a presenter of its own takes
 * the newest older one's.
 */
export function present(resource: Resource, row: Row, context: Presenting): object {
  const joined = join(resource, row, context)
  const own = presenterOf(resource, context.version)
  if (own) return own(joined as Row, context)
  return context.version === '1.3' ? joined : legacy(resource, joined, true)
}

/** The reply to a create or update: native numbers in every version. */
export function presentWritten(resource: Resource, row: Row, context: Presenting): object {
  if (context.version === '1.3') return present(resource, row, context)
  const joined = join(resource, row, context)
  return resource.writeResponse?.(joined as Row, context) ?? legacy(resource, joined, false)
}

function presenterOf({ present: presenters }: Resource, version: Version) {
  if (version === '1.3') return presenters?.['1.3']
  return (version === '1.2' ? presenters?.['1.2'] : undefined) ?? presenters?.['1.1']
}

/**
 * The stored fields and the names of what they refer to, as far as the version has them; secrets masked, times in the
 * version's form. What is derived is `null` yet.
 */
export function join(resource: Resource, row: Row, context: Presenting): Shape {
  const { version, user } = context
  const { parts, blank } = joinerOf(resource, version)
  const shape: Shape = { ...blank }
  shape.id = row.id
  for (const { name, secret, kind, shownAs } of parts) {
    const value = row[name]
    shape[name] = secret && value !== null && !seesSecrets(user) ? mask : value
    if (shownAs !== null) shape[shownAs] = namesOf(kind, value, context)
  }
  shape.lastUpdated = version === '1.3' ? zonedTime(row.lastUpdated) : shownTime(row.lastUpdated)
  return shape
}

interface Joiner {
  readonly parts: readonly { name: string; secret: boolean; kind: string; shownAs: string | null }[]
  /** Every key in its place. Copying it and filling in is several times faster than adding keys one by one. */
  readonly blank: Shape
}

const joiners: Readonly<Record<Version, WeakMap<Resource, Joiner>>> = {
  '1.1': new WeakMap(),
  '1.2': new WeakMap(),
  '1.3': new WeakMap(),
}

function joinerOf(resource: Resource, version: Version): Joiner {
  let joiner = joiners[version].get(resource)
  if (!joiner) {
    const shown = Object.entries(resource.fields).filter(([, { notes }]) => !notes.hidden && isIn(version, notes.since))
    const parts = shown.map(([name, { notes }]) => ({
      name,
      secret: notes.secret ?? false,
      kind: notes.ref ?? '',
      shownAs: (notes.ref && notes.nameAliases?.[0]) ?? null,
    }))
    const keys = parts.flatMap(({ name, shownAs }) => (shownAs === null ? [name] : [name, shownAs]))
    const derived = Object.entries(resource.computed ?? {}).flatMap(([key, since]) =>
      isIn(version, since) ? [key] : [],
    )
    joiner = { parts, blank: blankOf(['id', ...keys, ...derived, 'lastUpdated']) }
    joiners[version].set(resource, joiner)
  }
  return joiner
}

/** An object parsed from text has its keys laid out the way V8 copies them fastest. */
const blankOf = (keys: readonly string[]): Shape =>
  JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))))

/** Gives a joined row what is derived of it, as far as its version shows that. */
export function derive<R extends object>(row: R, values: Shape): R {
  for (const key in values) if (key in row) (row as Shape)[key] = values[key]
  return row
}

/** The rows of a list mostly refer to the same few records: each is asked for once per answer. */
const namesAsked = new WeakMap<Presenting, Map<string, unknown>>()

function namesOf(kind: string, value: unknown, context: Presenting): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((id) => nameOf(kind, id, context))
  return nameOf(kind, value as number, context)
}

/** The natural key of a record, asked for once per answer. */
export function nameOf(kind: string, id: number, context: Presenting): unknown {
  let names = namesAsked.get(context)
  if (!names) {
    names = new Map()
    namesAsked.set(context, names)
  }
  const input = `${kind}/${id}`
  let name = names.get(input)
  if (name === undefined) {
    const { data } = context
    const key = data.keyOf(kind)
    name = key === null ? null : ((data.get(kind as Kind, id) as Shape | undefined)?.[key] ?? null)
    names.set(input, name)
  }
  return name
}

/** The shape of 1.1 and 1.2 by the declaration's lists. */
export function legacy(
  { legacy: lists = noLists }: Pick<Resource, 'legacy'>,
  joined: Shape,
  asStrings: boolean,
): Shape {
  const { steps, blank } = conversionOf(lists, joined)
  const shape: Shape = { ...blank }
  for (const { from, to, isNumber } of steps) {
    const value = joined[from]
    shape[to] = asStrings && typeof value === 'number' && !isNumber ? String(value) : value
  }
  return shape
}

const noLists = {}

interface Conversion {
  readonly keys: readonly string[]
  readonly steps: readonly { from: string; to: string; isNumber: boolean }[]
  readonly blank: Shape
}

const conversions = new WeakMap<object, Conversion>()

/** What the lists mean for an object with these keys; those of a kind are alike, so it is worked out once. */
function conversionOf(lists: NonNullable<Resource['legacy']>, joined: Shape): Conversion {
  const keys = Object.keys(joined)
  const known = conversions.get(lists)
  if (known && known.keys.length === keys.length && known.keys.every((key, at) => key === keys[at])) return known
  const { numbers = [], omit = [], rename = {} } = lists
  const steps = keys
    .filter((key) => !omit.includes(key))
    .map((from) => ({ from, to: rename[from] ?? from, isNumber: numbers.includes(from) }))
  const conversion = { keys, steps, blank: blankOf(steps.map(({ to }) => to)) }
  conversions.set(lists, conversion)
  return conversion
}
