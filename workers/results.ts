import type { Made } from '../compiler/core/artifacts.js'
import type { CompileFault } from '../compiler/core/compile.js'
import type { Question } from '../compiler/core/readSet.js'

/** What became of one job. A file that cannot be made says why; it does not keep the others of its task back. */
export type Outcome =
  | ({ readonly state: 'compiled'; readonly questions: readonly Question[] } & Made)
  | { readonly state: 'missing'; readonly text: string }
  | { readonly state: 'failed'; readonly fault: CompileFault }

/** How outcomes travel: one buffer that changes hands, and small values that say what lies where in it. */
export interface PackedOutcomes {
  readonly bytes: Uint8Array
  /** Distinct bodies: servers that share one send it once. */
  readonly bodies: readonly { readonly hash: string; readonly bytes: Span; readonly holes: Span }[]
  readonly outcomes: readonly PackedOutcome[]
}

type PackedOutcome =
  | (Omit<Extract<Outcome, { state: 'compiled' }>, 'body' | 'readSet'> & {
      /** Index into `bodies`, and what the holes hold. */
      readonly body: number
      readonly name: string
      readonly readSet: Span
    })
  | Exclude<Outcome, { state: 'compiled' }>

/** Offset and length in bytes. */
type Span = readonly [number, number]

export function pack(outcomes: readonly Outcome[]): PackedOutcomes {
  const chunks: { at: number; bytes: Uint8Array }[] = []
  let size = 0
  const add = (bytes: Uint8Array): Span => {
    const at = Math.ceil(size / 4) * 4
    chunks.push({ at, bytes })
    size = at + bytes.byteLength
    return [at, bytes.byteLength]
  }
  const bodies: PackedOutcomes['bodies'][number][] = []
  const known = new Map<string, number>()
  const packed = outcomes.map((outcome): PackedOutcome => {
    if (outcome.state !== 'compiled') return outcome
    const { body, readSet, ...rest } = outcome
    let index = known.get(body.hash)
    if (index === undefined) {
      index = bodies.push({ hash: body.hash, bytes: add(body.bytes), holes: add(bytesOf(body.holes)) }) - 1
      known.set(body.hash, index)
    }
    return { ...rest, body: index, name: body.name, readSet: add(bytesOf(readSet)) }
  })
  const bytes = Buffer.allocUnsafeSlow(size)
  for (const chunk of chunks) bytes.set(chunk.bytes, chunk.at)
  return { bytes, bodies, outcomes: packed }
}

/**
 * The outcomes with memory of their own, so that keeping one does not keep the whole buffer; but a body that is nearly
 * all of it stays there, as copying tens of megabytes takes its time.
 */
export function unpack({ bytes, bodies, outcomes }: PackedOutcomes): Outcome[] {
  const shared = bodies.map(({ hash, bytes: [at, length], holes }) => ({
    hash,
    bytes: length > mostOf * bytes.length ? bytes.subarray(at, at + length) : bytes.slice(at, at + length),
    holes: integers(bytes, holes),
  }))
  return outcomes.map((outcome): Outcome => {
    if (outcome.state !== 'compiled') return outcome
    const { body, name, readSet, ...rest } = outcome
    return { ...rest, body: { ...shared[body]!, name }, readSet: integers(bytes, readSet) }
  })
}

const mostOf = 0.9

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const integers = ({ buffer, byteOffset }: Uint8Array, [at, length]: Span): Uint32Array =>
  new Uint32Array(buffer, byteOffset + at, length / 4).slice()
