import { isLong, turn } from '../flow/turns.js'
import type { Change } from './store.js'

/** Characters of JSON that are parsed at once. */
const sliceLength = 64 * 1024

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/** The changes of an entry from their JSON, all at once for nearly every entry, in slices for one that is large. */
export async function parseChanges(json: string): Promise<Change[]> {
  if (json.length <= sliceLength) return JSON.parse(json) as Change[]
  const changes: Change[] = []
  for await (const slice of changeSlices(json)) for (const change of slice) changes.push(change)
  return changes
}

/** The changes of an entry as the bytes of their JSON, in parts; the event loop has its turns while they are made. */
export async function jsonBytes(changes: readonly Change[]): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  let text = '['
  for (const [at, change] of changes.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(change)}`
    if (text.length < sliceLength) continue
    parts.push(Buffer.from(text))
    text = ''
    if (isLong()) await turn()
  }
  parts.push(Buffer.from(`${text}]`))
  return parts
}

/** As `parseChanges`, a slice at a time; the event loop has its turns in between. */
export async function* changeSlices(json: string): AsyncGenerator<readonly Change[]> {
  if (json.length <= sliceLength) {
    yield JSON.parse(json) as Change[]
    return
  }
  for (const text of elementRuns(json)) {
    yield JSON.parse(`[${text}]`) as Change[]
    if (isLong()) await turn()
  }
}

/** The text between the brackets of a JSON array, cut between elements into runs of at least `sliceLength`. */
function* elementRuns(json: string): Generator<string> {
  const end = json.lastIndexOf(']')
  let from = json.indexOf('[') + 1
  let depth = 0
  for (let at = from; at < end; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at)
    // { and [ are 0x7b and 0x5b, } and ] two further.
    else if ((code | 0x20) === 0x7b) depth++
    else if ((code | 0x20) === 0x7d) depth--
    else if (code === comma && depth === 0 && at - from >= sliceLength) {
      yield json.slice(from, at)
      from = at + 1
    }
  }
  if (from < end) yield json.slice(from, end)
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}
