import type { RecordKind } from '../../journal/recordKind.js'
import type { Values } from '../../records/recordBody.js'
import { lenientId } from '../../records/recordBody.js'

export interface Step {
  /** Position of the record in its collection. */
  readonly at: number
  /** References, with all their spellings, that are set only once every record is there. */
  readonly later: readonly string[]
}

/**
 * The order in which records of one collection can be imported: each after those of the same collection that it
 * names. Of records that name each other one goes first without those references, if it can be without them.
 *
 * A record a step, more or less.
 *
 * @returns also the positions of records that no order would do
 */
export function* inOrder(
  resource: RecordKind,
  records: readonly unknown[],
): Generator<void, { steps: Step[]; stuck: number[] }> {
  const references = selfReferences(resource)
  if (references.length === 0) return { steps: records.map((_, at) => ({ at, later: [] })), stuck: [] }
  const places = yield* placesOf(resource, records)
  const named: (Reference & { readonly to: readonly number[] })[][] = []
  for (const [at, record] of records.entries()) {
    named.push(references.map((reference) => ({ ...reference, to: placesNamed(record, at, reference, places) })))
    yield
  }
  const waiters = yield* waitersOf(named)
  const done = records.map(() => false)
  const open = named.map((own) => new Set(own.flatMap(({ to }) => to)).size)
  const steps: Step[] = []
  let round = records.map((_, at) => at)

  const take = (at: number, later: readonly string[], last: number): number[] => {
    done[at] = true
    steps.push({ at, later })
    return waiters[at]!.filter((other) => --open[other]! === 0 && !done[other] && other < last)
  }
  const run = function* (): Generator<void, void> {
    while (round.length > 0) {
      const isFirst = round.length === records.length
      const released: number[] = []
      // In the first round those further on are met by themselves.
      for (const at of round) {
        if (open[at]! <= 0 && !done[at]) {
          for (const other of take(at, [], isFirst ? at : records.length)) released.push(other)
        }
        yield
      }
      round = released.sort((a, b) => a - b)
    }
  }

  yield* run()
  for (let at = 0; at < records.length; at++) {
    yield
    if (done[at]) continue
    const missing = named[at]!.filter(({ to }) => to.some((place) => !done[place]))
    if (missing.some(({ isOptional }) => !isOptional)) continue
    const spellings = missing.flatMap(({ spellings }) => spellings)
    round = take(at, spellings, records.length)
    yield* run()
  }
  return { steps, stuck: done.flatMap((isDone, at) => (isDone ? [] : [at])) }
}

/** Under which names and ids a document's records are known. */
function* placesOf({ key }: RecordKind, records: readonly unknown[]): Generator<void, Map<unknown, number>> {
  const places = new Map<unknown, number>()
  for (const [at, record] of records.entries()) {
    yield
    if (typeof record !== 'object' || record === null) continue
    const values = record as Values
    for (const name of [key === null ? undefined : values[key], values.id, lenientId(values.id)])
      if ((typeof name === 'string' || typeof name === 'number') && !places.has(name)) places.set(name, at)
  }
  return places
}

/** Where the other records are that one names in a field. */
function placesNamed(
  record: unknown,
  at: number,
  { spellings }: Reference,
  places: ReadonlyMap<unknown, number>,
): readonly number[] {
  return namesIn(record, spellings).flatMap((name) => {
    const place = places.get(name)
    return place === undefined || place === at ? [] : [place]
  })
}

interface Reference {
  readonly spellings: readonly string[]
  readonly isOptional: boolean
}

function selfReferences({ kind, fields }: RecordKind): Reference[] {
  return Object.entries(fields)
    .filter(([, { notes }]) => notes.ref === kind)
    .map(([name, { notes, type }]) => ({
      spellings: [name, ...(notes.aliases ?? []), ...(notes.nameAliases ?? [])],
      isOptional: [type].flat().includes('null'),
    }))
}

function namesIn(record: unknown, spellings: readonly string[]): unknown[] {
  if (typeof record !== 'object' || record === null) return []
  return spellings.flatMap((spelling) => (record as Values)[spelling] ?? [])
}

/** Who waits for whom, each once. */
function* waitersOf(named: readonly (readonly { readonly to: readonly number[] }[])[]): Generator<void, number[][]> {
  const waiters: number[][] = named.map(() => [])
  for (const [at, own] of named.entries()) {
    for (const place of new Set(own.flatMap(({ to }) => to))) waiters[place]!.push(at)
    yield
  }
  return waiters
}
