import type { DocumentDiff, Json, JsonObject } from '../../../compiler/snapshots/diff.js'

/**
 * Two versions of a document without the entries that are the same in both: parsing tens of megabytes twice takes
 * seconds, comparing their lines does not. The documents hold one entry per line, which is what is compared; an entry
 * that is kept although nothing in it differs does no harm.
 */
export function differing(before: Uint8Array, after: Uint8Array): [before: JsonObject, after: JsonObject] {
  const [old, now] = [documentOf(before), documentOf(after)]
  return [parsed(old, now), parsed(now, old)]
}

/** How many entries each section of a document holds, as a diff against nothing would count them. */
export function contents(document: Uint8Array): DocumentDiff['sections'] {
  const { bytes, sections } = documentOf(document)
  const counted = [...sections].flatMap(([opening, entries]): [string, number][] => {
    if (opening !== '') return [[JSON.parse(opening.slice(0, opening.lastIndexOf(':'))) as string, entries.size]]
    const text = [...entries.values()].map(([start, end]) => bytes.toString('utf8', start, end)).join(',')
    return Object.entries(JSON.parse(`{${text}}`) as JsonObject).map(([name, value]) => [name, sizeOf(value)])
  })
  return Object.fromEntries(
    counted.filter(([, added]) => added > 0).map(([name, added]) => [name, { added, removed: 0, changed: 0 }]),
  )
}

const sizeOf = (value: Json): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 1)

interface Document {
  readonly bytes: Buffer
  /** By the line that opens a section; what stands in no section is under the empty text. */
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, Line>>
}

/** Where an entry is, without the comma after it. */
type Line = readonly [start: number, end: number]

const [lineFeed, comma, brace, bracket] = [...Buffer.from('\n,{[')]

function documentOf(given: Uint8Array): Document {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const sections = new Map<string, Map<string, Line>>([['', new Map()]])
  let section: Map<string, Line> | null = null
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineFeed!, start)
    const lineEnd = found < 0 ? bytes.length : found
    const end = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd
    const last = bytes[end - 1]
    if (end - start <= 1) {
      if (last !== brace && end > start) section = null
    } else if (section) note(section, bytes, [start, end])
    else if (last === brace || last === bracket) {
      section = new Map()
      sections.set(bytes.toString('utf8', start, end), section)
    } else note(sections.get('')!, bytes, [start, end])
    start = lineEnd + 1
  }
  return { bytes, sections }
}

/** An entry goes by how its line begins, which is mostly its name. */
function note(section: Map<string, Line>, bytes: Buffer, line: Line): void {
  let key = bytes.toString('latin1', line[0], Math.min(line[1], line[0] + 64))
  while (section.has(key)) key += ' again'
  section.set(key, line)
}

/** What is in a document and not, byte for byte, in the other. */
function parsed({ bytes, sections }: Document, other: Document): JsonObject {
  const parts = [...sections].flatMap(([opening, entries]) => {
    const known = other.sections.get(opening)
    const left = [...entries].flatMap(([key, [start, end]]) => {
      const same = known?.get(key)
      const isSame = same && bytes.compare(other.bytes, same[0], same[1], start, end) === 0
      return isSame ? [] : [bytes.toString('utf8', start, end)]
    })
    const text = left.join(',\n')
    if (opening === '') return left.length === 0 ? [] : [text]
    return [`${opening}${text}${opening.endsWith('[') ? ']' : '}'}`]
  })
  return JSON.parse(`{${parts.join(',\n')}}`) as JsonObject
}
