import type { JsonObject } from '../../compiler/snapshots/diff.js'

/**
 * Two versions of a document without the entries that are the same in both: parsing tens of megabytes twice takes
 * seconds, comparing their lines does not. The documents hold one entry per line, which is what is compared.
 */
export function differing(before: Uint8Array, after: Uint8Array): [before: JsonObject, after: JsonObject] {
  const [old, now] = [linesBySection(before), linesBySection(after)]
  return [parsed(old, now), parsed(now, old)]
}

/** Sections in order: the opening line, and the entries within, without the commas between them. */
type Lines = ReadonlyMap<string, ReadonlySet<string>>

function linesBySection(bytes: Uint8Array): Lines {
  const sections = new Map<string, Set<string>>()
  let section: Set<string> | null = null
  for (const raw of linesOf(bytes)) {
    const line = raw.endsWith(',') ? raw.slice(0, -1) : raw
    if (line === '' || line === '{') continue
    if (line === '}' || line === ']') section = null
    else if (section) section.add(line)
    else if (line.endsWith('{') || line.endsWith('[')) {
      section = new Set()
      sections.set(line, section)
    } else sections.set('', (sections.get('') ?? new Set()).add(line))
  }
  return sections
}

/** What is in a document and not, to the letter, in the other. */
function parsed(lines: Lines, other: Lines): JsonObject {
  const parts = [...lines].flatMap(([opening, entries]) => {
    const left = [...entries].filter((line) => !other.get(opening)?.has(line))
    const text = left.join(',\n')
    if (opening === '') return left.length === 0 ? [] : [text]
    return [`${opening}${text}${opening.endsWith('[') ? ']' : '}'}`]
  })
  return JSON.parse(Buffer.from(`{${parts.join(',\n')}}`, 'latin1').toString()) as JsonObject
}

/** As bytes, each one a character: what is compared need not be decoded. */
function* linesOf(bytes: Uint8Array): Iterable<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(10, start)
    const end = found < 0 ? buffer.length : found
    yield buffer.toString('latin1', start, end)
    start = end + 1
  }
}
