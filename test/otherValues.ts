import type { Parts } from '../api/operations/parts.js'
import type { Row } from '../api/schema/defineKind.js'

/**
 * Values that a field of a record could have instead of its own, the likeliest to be accepted first. Rules and
 * references decide which of them it may have.
 */
export function otherValues(kind: string, field: string, row: Row, { catalogue, workingSet, vault }: Parts): unknown[] {
  const now = row[field]
  if (field === 'sealed') return [vault.seal(vault.unseal(String(now)).replace(/[a-z]/, 'Q'))]
  const declared = catalogue.of(kind).fields[field]!
  const { type, enum: allowed, minimum = 0, maximum = 100_000 } = declared as unknown as Schema
  const types = [type].flat()
  const { ref } = declared.notes
  const ids = ref ? workingSet.allIds(ref) : []
  const others = workingSet.allIds(kind).map((id) => (workingSet.get(kind, id) as Row)[field])
  const candidates: unknown[] = []
  if (types.includes('array')) {
    const held = now as readonly unknown[]
    const more = ref ? ids : itemsOf(declared)
    candidates.push(
      ...more.flatMap((one) => (held.includes(one) ? [] : [[...held, one].sort(ascending)])),
      held.slice(1),
    )
  } else if (ref) candidates.push(...ids)
  else if (allowed) candidates.push(...allowed)
  else if (types.includes('boolean')) candidates.push(!now)
  else if (types.includes('string')) candidates.push(...texts(String(now ?? '')), ...others)
  else
    candidates.push(
      ...[Number(now) + 1, Number(now) - 1, 443, 17].filter((n) => n >= minimum && n <= maximum),
      ...others,
    )
  if (types.includes('null')) candidates.push(null)
  return candidates.filter((value) => JSON.stringify(value) !== JSON.stringify(now)).slice(0, 60)
}

interface Schema {
  readonly type: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

/** What a list of words takes: those of its pattern, which is one of alternatives. */
function itemsOf(declared: object): readonly string[] {
  const { pattern = '' } = (declared as { items?: { pattern?: string } }).items ?? {}
  return pattern.match(/\w+/g) ?? []
}

/** Where a value has a form, something of that form; else a text that differs in little. */
function texts(now: string): string[] {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(now)) return [now.replace(/\d+$/, '249'), now.replace(/\d+$/, '99')]
  if (/^https?:/.test(now)) return [`${now.replace(/:\d+\/?$/, '')}:8181`, 'http://elsewhere.example.net']
  if (/^[\d-]+T/.test(now)) return [now.replace(/^\d+/, '2033')]
  if (/^\d+(\.\d+)?$/.test(now)) return [String(Number(now) + 1)]
  const inside = now.replace(/[a-z](?=[^a-z]*$)/i, (letter) => (letter === 'q' ? 'x' : 'q'))
  return [inside, `${now}-q`, `${now}q`, 'q', 'http://elsewhere.example.net', '192.0.2.249', '2001:db8::249/64', '7']
}

const ascending = (a: unknown, b: unknown): number => (Number(a) < Number(b) ? -1 : 1)
