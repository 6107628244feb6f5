import type { Fault } from '../config/errors.js'
import { quoted } from '../config/errors.js'
import type { RecordKind } from '../journal/recordKind.js'
import type { FieldNotes } from '../schema/fields.js'

/**
 * A fault for every field that no record of the kind has. What answers of 1.3 show beside the fields (ids, times,
 * joined names, derived values) may stay in: people import what they were shown.
 *
 * @param of.managed it is an import, which carries what the service otherwise keeps to itself, too
 * @param of.more what may be said beside the fields
 */
export function unknownFields(
  resource: RecordKind,
  given: unknown,
  { managed, more = [] }: { managed: boolean; more?: readonly string[] },
): Fault[] {
  // That something is no record the check of its fields says.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const known = (managed ? importable : changeable)(resource)
  const faults: Fault[] = []
  for (const name of Object.keys(given)) {
    if (known.accepted.has(name) || more.includes(name)) continue
    const said = [...known.said, ...more].join(', ')
    faults.push({ path: quoted(name), text: `unknown field '${quoted(name)}'; known: ${said}` })
    if (faults.length === mostSaid) break
  }
  return faults
}

/** Of one record. */
const mostSaid = 20

interface Known {
  readonly accepted: ReadonlySet<string>
  readonly said: readonly string[]
}

const importable = remembered(
  () => true,
  () => true,
)
const changeable = remembered(
  ({ hidden }) => hidden !== true,
  ({ readOnly }) => readOnly !== true,
)

/** What a record may say: fields that are taken, or shown, and among them those that are worth naming. */
function remembered(isTaken: (notes: FieldNotes) => boolean, isNamed: (notes: FieldNotes) => boolean) {
  const byResource = new WeakMap<RecordKind, Known>()
  return (resource: RecordKind): Known => {
    const found = byResource.get(resource)
    if (found) return found
    const { computed: derived = {}, shownAs = [], idRefersTo } = resource
    const fields = Object.entries(resource.fields).filter(([, { notes }]) => isTaken(notes))
    const own = fields.flatMap(([name, { notes }]) => [name, ...(notes.aliases ?? []), ...(notes.nameAliases ?? [])])
    const owner = idRefersTo === undefined ? [] : [ownerField(idRefersTo)]
    const known = {
      accepted: new Set([...own, ...owner, 'id', 'lastUpdated', ...Object.keys(derived), ...shownAs]),
      said: [...owner, ...fields.flatMap(([name, { notes }]) => (isNamed(notes) ? [name] : []))],
    }
    byResource.set(resource, known)
    return known
  }
}

/** `servers` → `server`: under which name a record that hangs on another names it. */
export const ownerField = (kind: string): string => kind.replace(/s$/, '')
