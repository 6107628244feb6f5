import { randomUUID } from 'node:crypto'
import { ApiError } from '../api/config/errors.js'
import type { Parts } from '../api/operations/parts.js'
import { readBody } from '../api/records/recordBody.js'
import type { Row } from '../api/schema/defineKind.js'
import type { Field } from '../api/schema/fields.js'
import { system } from '../api/schema/privileges.js'
import { kinds as modelKinds } from '../compiler/data/model.js'

export type Random = () => number

/** Mulberry32: a small seeded generator, so that a failing run can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!

/** Kinds whose random edits would only lock the test out or need key material. */
const untouched = new Set([
  'users',
  'roles',
  'apiTokens',
  'tenants',
  'urlSigKeys',
  'uriSigningKeys',
  'sslKeys',
  'dnssecKeys',
  'snapshots',
  'activeSnapshots',
])

/**
 * One random write through the one write path: a record of any kind is changed, copied or removed, with values taken
 * from other records, at the limits, or meant to forge lines. Says what was done; null when the rules refused it.
 */
export async function randomWrite(services: Parts, random: Random): Promise<string | null> {
  const { catalogue, committer, workingSet } = services
  const kinds = catalogue.resources.filter(({ kind }) => !untouched.has(kind) && workingSet.count(kind) > 0)
  // Most writes go to what compiles read; the others must move nothing.
  const compiled = kinds.filter((one) => one.kind in modelKinds)
  // What a CDN says of itself is in documents that are made of many kept parts, so there is more of it than its share.
  const cdns = kinds.filter((one) => one.kind === 'cdns')
  const { kind } = pick(random, random() < 0.1 ? cdns : random() < 0.75 ? compiled : kinds)
  const id = pick(random, workingSet.allIds(kind))
  const roll = random()
  const what = roll < 0.7 ? 'change' : roll < 0.9 ? 'copy' : 'remove'
  try {
    await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
      if (what === 'remove') return transaction.remove(kind as never, id)
      const row = workingSet.get(kind, id) as Row
      const values = what === 'change' ? changed(kind, row, services, random) : copied(kind, row, services, random)
      // Whatever writes checks the fields first; rules, references and side effects may rely on that.
      const mode = what === 'change' ? 'patch' : 'create'
      const read = readBody(catalogue.of(kind), values, { mode, data: transaction.data, managed: true })
      if (read.faults.length > 0)
        throw new ApiError(
          400,
          'refused',
          read.faults.map(({ text }) => text),
        )
      const { faults } =
        what === 'change' ? transaction.tryUpdate(kind, id, read.values) : transaction.tryCreate(kind, read.values)
      if (faults.length > 0)
        throw new ApiError(
          400,
          'refused',
          faults.map(({ text }) => text),
        )
      return undefined
    })
    return `${what} ${kind} ${id}`
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function changed(kind: string, row: Row, services: Parts, random: Random): Record<string, unknown> {
  const fields = Object.entries(services.catalogue.of(kind).fields)
  const count = random() < 0.8 ? 1 : 3
  const values: Record<string, unknown> = {}
  for (let i = 0; i < count; i++) {
    const [name, field] = pick(random, fields)
    values[name] = anotherValue(name, field, kind, row, services, random)
  }
  return values
}

/** A copy differs where it must be unique. */
function copied(kind: string, row: Row, services: Parts, random: Random): Record<string, unknown> {
  const resource = services.catalogue.of(kind)
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row[name]
    const mustDiffer = field.notes.unique || resource.unique?.some((names) => names.includes(name))
    values[name] = mustDiffer && typeof value === 'string' && !field.notes.ref ? distinct(value, random) : value
  }
  return values
}

function distinct(value: string, random: Random): string {
  const octet = 1 + Math.floor(random() * 250)
  if (/^\d+\.\d+\.\d+\.\d+$/.test(value)) return value.replace(/\d+$/, String(octet))
  if (/^[0-9a-f:]+(\/\d+)?$/i.test(value) && value.includes(':')) return value.replace(/^([^/]*):[^:/]*/, `$1:${octet}`)
  return `${value}-${Math.floor(random() * 1e6)}`.slice(0, 48)
}

const hostile = [
  'two\nlines',
  '\ttab',
  'a "quote"',
  'x __RETURN__ y',
  "it's",
  '#comment',
  '\\',
  '$1',
  '{{x}}',
  '\u2028',
  '%',
  'a b  c',
]

function anotherValue(
  name: string,
  field: Field,
  kind: string,
  row: Row,
  { workingSet }: Parts,
  random: Random,
): unknown {
  const schema = field as unknown as { type: string | string[]; enum?: unknown[]; minimum?: number; maximum?: number }
  const types = [schema.type].flat()
  if (types.includes('null') && random() < 0.15) return null
  const other = workingSet.get(kind, pick(random, workingSet.allIds(kind))) as Row
  if (field.notes.ref && types.includes('array')) {
    const held = [...(row[name] as number[])]
    const ids = workingSet.allIds(field.notes.ref)
    if (random() < 0.5 && held.length > 0) held.splice(Math.floor(random() * held.length), 1)
    else if (ids.length > 0) held.push(pick(random, ids))
    return [...new Set(held)].sort((a, b) => a - b)
  }
  if (field.notes.ref) return pick(random, workingSet.allIds(field.notes.ref))
  if (schema.enum) return pick(random, schema.enum)
  if (types.includes('boolean')) return !row[name]
  if (types.includes('integer')) {
    const limits = [schema.minimum ?? 0, Math.min(schema.maximum ?? 100_000, 100_000), 80, 443, 2, 0, 1]
    return random() < 0.5
      ? other[name]
      : pick(
          random,
          limits.filter((value) => value >= (schema.minimum ?? 0)),
        )
  }
  if (types.includes('string')) return random() < 0.3 ? pick(random, hostile) : other[name]
  return other[name]
}
