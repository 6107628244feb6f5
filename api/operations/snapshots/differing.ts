import type { DocumentDiff, Json, JsonObject } from '../../../compiler/snapshots/diff.js'

/**
 * Two versions of a document without the entries that are the same in both: parsing tens of megabytes twice takes
 * seconds, comparing their lines does not. The documents hold one entry per line, which is what is compared; an entry
 * that is kept although nothing in it differs does no harm. In steps of some lines.
 */
export function* differing(
  before: Uint8Array,
  after: Uint8Array,
): Generator<void, [before: JsonObject, after: JsonObject]> {
  const [old, now] = [yield* documentOf(before), yield* documentOf(after)]
  return [yield* parsed(old, now), yield* parsed(now, old)]
}

/** How many entries each section of a document holds, as a diff against nothing would count them; in such steps, too. */
export function* contents(document: Uint8Array): Generator<void, DocumentDiff['sections']> {
  const { bytes, sections } = yield* documentOf(document)
  const counted: [string, number][] = []
  for (const [opening, entries] of sections) {
    if (opening !== '') counted.push([nameIn(opening), entries.size])
    else for (const [name, value] of yield* entriesIn(bytes, entries.values())) counted.push([name, sizeOf(value)])
  }
  return Object.fromEntries(
    counted.filter(([, added]) => added > 0).map(([name, added]) => [name, { added, removed: 0, changed: 0 }]),
  )
}

/** The name of a section in the line that opens it: `"name": {`. */
const nameIn = (opening: string): string => JSON.parse(opening.slice(0, opening.lastIndexOf(':'))) as string

const sizeOf = (value: Json): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 1)

interface Document {
  readonly bytes: Buffer
  /** By the line that opens a section; what stands in no section is under the empty text. */
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, Line>>
}

/** Where an entry is, without the comma after it. */
type Line = readonly [start: number, end: number]

const [lineFeed, comma, brace, bracket] = [...Buffer.from('\n,{[')]

const linesAtOnce = 200
/** Bytes of lines that are parsed at once. */
const parsedAtOnce = 64 * 1024

function* documentOf(given: Uint8Array): Generator<void, Document> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const sections = new Map<string, Map<string, Line>>([['', new Map()]])
  let section: Map<string, Line> | null = null
  let lines = 0
  for (let start = 0; start < bytes.length; ) {
    if (++lines % linesAtOnce === 0) yield
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
function* parsed(document: Document, other: Document): Generator<void, JsonObject> {
  const { bytes, sections } = document
  const made: [string, Json][] = []
  for (const [opening, entries] of sections) {
    const left = yield* unlike(document, entries, { ...other, entries: other.sections.get(opening) })
    if (opening === '') for (const entry of yield* entriesIn(bytes, left)) made.push(entry)
    else if (opening.endsWith('[')) made.push([nameIn(opening), yield* elementsIn(bytes, left)])
    else made.push([nameIn(opening), Object.fromEntries(yield* entriesIn(bytes, left))])
  }
  return Object.fromEntries(made)
}

/** The lines that the other document does not have, or not as they are here. */
function* unlike(
  { bytes }: Document,
  entries: ReadonlyMap<string, Line>,
  other: { bytes: Buffer; entries: ReadonlyMap<string, Line> | undefined },
): Generator<void, Line[]> {
  const left: Line[] = []
  let lines = 0
  for (const [key, line] of entries) {
    if (++lines % linesAtOnce === 0) yield
    const same = other.entries?.get(key)
    if (!same || bytes.compare(other.bytes, same[0], same[1], line[0], line[1]) !== 0) left.push(line)
  }
  return left
}

/** Lines of an object: names and values. */
function* entriesIn(bytes: Buffer, lines: Iterable<Line>): Generator<void, [string, Json][]> {
  const entries: [string, Json][] = []
  for (const text of textsOf(bytes, lines)) {
    for (const entry of Object.entries(JSON.parse(`{${text}}`) as JsonObject)) entries.push(entry)
    yield
  }
  return entries
}

/** Lines of a list. */
function* elementsIn(bytes: Buffer, lines: Iterable<Line>): Generator<void, Json[]> {
  const elements: Json[] = []
  for (const text of textsOf(bytes, lines)) {
    for (const element of JSON.parse(`[${text}]`) as Json[]) elements.push(element)
    yield
  }
  return elements
}

/** As many lines together as are parsed at once. */
function* textsOf(bytes: Buffer, lines: Iterable<Line>): Generator<string> {
  let texts: string[] = []
  let length = 0
  for (const [start, end] of lines) {
    texts.push(bytes.toString('utf8', start, end))
    length += end - start
    if (length < parsedAtOnce) continue
    yield texts.join(',')
    texts = []
    length = 0
  }
  if (texts.length > 0) yield texts.join(',')
}
