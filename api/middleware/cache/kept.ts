import type { Artifact } from '../../../compiler/core/artifacts.js'
import type { Encoding } from './acceptEncoding.js'
import type { Wire } from './wire.js'

/** A GET's answer, kept until something it read changes. */
export interface CachedResponse {
  /** The dependency keys that were read to make it; for a compiled file, those that found its subject. */
  readonly dependencies: Uint32Array
  validAt: number
  readonly etag: string
  readonly contentType: string
  readonly length: number
  /** Constant headers beside type, tag and length. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes; `null` when they are an artifact's. */
  readonly bytes: Uint8Array | null
  /** The file it is of; another of the same bytes may take its place. */
  artifact: Artifact | null
  /** Its headers in each form in which it was sent. */
  readonly wires: Partial<Record<Encoding, Wire>>
}
