const lineFeed = 10
/** Chunks are about this long, in bytes; a longer line is a chunk of its own. */
const usualLength = 16 * 1024
const longest = 256 * 1024
const linesAtOnce = 500

/**
 * Cuts a document into chunks that stay the same where it stays the same, so that versions share them. The documents
 * hold one entry per line; whether a chunk ends after a line depends on how the line begins, which is the name of
 * the entry, so an entry that changes, comes or goes changes its own chunk only. Some lines a step.
 */
export function* chunksOf(bytes: Uint8Array): Generator<void, Uint8Array[]> {
  const ends = yield* lineEnds(bytes)
  const linesPerChunk = 2 ** Math.max(0, Math.round(Math.log2((usualLength * ends.length) / bytes.length)))
  const chunks: Uint8Array[] = []
  let start = 0
  let lineStart = 0
  for (const [line, end] of ends.entries()) {
    if (line % linesAtOnce === 0) yield
    if (nameHash(bytes, lineStart, end) % linesPerChunk === 0 || end - start >= longest) {
      chunks.push(bytes.subarray(start, end))
      start = end
    }
    lineStart = end
  }
  if (start < bytes.length) chunks.push(bytes.subarray(start))
  return chunks
}

/** The places after each line feed, and the end. */
function* lineEnds(bytes: Uint8Array): Generator<void, number[]> {
  const ends: number[] = []
  // A Buffer looks for a byte many times faster than an array does.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = buffer.indexOf(lineFeed); at >= 0; at = buffer.indexOf(lineFeed, at + 1)) {
    ends.push(at + 1)
    if (ends.length % linesAtOnce === 0) yield
  }
  if (ends.at(-1) !== bytes.length) ends.push(bytes.length)
  return ends
}

/** FNV-1a of how a line begins. */
function nameHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < Math.min(end, start + 32); at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  // The low bits of FNV alone say little about all of the name.
  return (hash ^ (hash >>> 15)) >>> 0
}
