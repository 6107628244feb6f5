import type { Fault } from '../config/errors.js'
import { quoted } from '../config/errors.js'
import type { RecordKind } from '../journal/recordKind.js'

/**
 * A fault for every field that no record of the kind has. What answers of 1.3 show beside the fields (ids, times,
 * joined names, derived values) may stay in: people import what they were shown.
 */
export function unknownFields(resource: RecordKind, given: unknown, more: readonly string[] = []): Fault[] {
  // That something is no record the check of its fields says.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const known = knownTo(resource)
  const faults: Fault[] = []
  for (const name of Object.keys(given)) {
    if (known.accepted.has(name) || more.includes(name)) continue
    faults.push({ path: quoted(name), text: `unknown field '${quoted(name)}'; known: ${known.said}` })
    if (faults.length === mostSaid) break
  }
  return faults
}

/** Of one record. */
const mostSaid = 20

interface Known {
  readonly accepted: ReadonlySet<string>
  readonly said: string
}

const knownByResource = new WeakMap<RecordKind, Known>()

function knownTo(resource: RecordKind): Known {
  let known = knownByResource.get(resource)
  if (!known) {
    const { fields, computed: derived = {}, shownAs = [], idRefersTo } = resource
    const own = Object.entries(fields).flatMap(([name, { notes }]) => [
      name,
      ...(notes.aliases ?? []),
      ...(notes.nameAliases ?? []),
    ])
    const owner = idRefersTo === undefined ? [] : [ownerField(idRefersTo)]
    const readOnly = ['id', 'lastUpdated', ...Object.keys(derived), ...shownAs]
    known = {
      accepted: new Set([...own, ...owner, ...readOnly]),
      said: [...owner, ...Object.keys(fields)].join(', '),
    }
    knownByResource.set(resource, known)
  }
  return known
}

/** `servers` → `server`: under which name a record that hangs on another names it. */
export const ownerField = (kind: string): string => kind.replace(/s$/, '')
