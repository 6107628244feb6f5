/**
 * A dependency key is the smallest thing that can be read and can move: a record, the records under an index key, their
 * membership, a whole kind. It is named by a 32-bit hash that every thread computes alike, so a read set is a
 * few integers. Two dependency keys that happen to share a hash make an artifact stale once too often, never too seldom.
 */
export type DependencyKey = number

/**
 * `seen` moves only with the fields the compiler's model names, `full` with every field.
 * Artifacts read by `seen`, answers of the API by `full`.
 */
export type Grain = 'seen' | 'full'

export const recordKey = (kind: string, id: number, grain: Grain): DependencyKey =>
  mix(recordSeeds[grain].get(kind) ?? newRecordSeed(kind, grain), id)

export const kindKey = (kind: string, grain: Grain | 'members'): DependencyKey => seed(kind, 'all', grain)

export const indexKey = (kind: string, index: string, key: string, what: What): DependencyKey =>
  hash(key, seed(kind, index, what))

type What = Grain | 'members' | 'some'

/** By kind. Records are what is read most, so theirs are found in one step. */
const recordSeeds: Readonly<Record<Grain, Map<string, number>>> = { seen: new Map(), full: new Map() }

function newRecordSeed(kind: string, grain: Grain): number {
  const value = seed(kind, '', grain)
  recordSeeds[grain].set(kind, value)
  return value
}

/** By kind, index and what of it. Looked up for everything that is read, so no text is put together for it. */
const seeds = new Map<string, Map<string, Partial<Record<What, number>>>>()

function seed(kind: string, index: string, what: What): number {
  const known = seeds.get(kind)?.get(index)?.[what]
  if (known !== undefined) return known
  const value = hash(`${kind}\0${index} ${what}`, 0x811c9dc5)
  const ofKind = seeds.get(kind) ?? new Map<string, Partial<Record<What, number>>>()
  seeds.set(kind, ofKind.set(index, { ...ofKind.get(index), [what]: value }))
  return value
}

/** Two sorted arrays as one, each dependency key once. */
export function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length)
  let kept = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const dependency = j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i++]! : b[j++]!
    if (kept === 0 || all[kept - 1] !== dependency) all[kept++] = dependency
  }
  return all.slice(0, kept)
}

/** FNV-1a over UTF-16 code units, finished like MurmurHash3. */
function hash(text: string, start: number): number {
  let value = start
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return finish(value)
}

const mix = (start: number, id: number): number => finish(Math.imul(start ^ id, 0x9e3779b1) ^ Math.floor(id / 2 ** 32))

function finish(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
