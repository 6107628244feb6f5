import type { DocumentName, DocumentOf } from './documents.js'
import { documents } from './documents.js'
import { parseJson, UpstreamFault } from './fetchJson.js'

export interface ReadTask {
  readonly name: DocumentName
  readonly bytes: Uint8Array
}

/** What a document comes to, or why it cannot be used: errors do not keep what they are between threads. */
export type Reading = { readonly value: DocumentOf<DocumentName> } | { readonly fault: string }

/** Parses and reads one document. */
export function readDocument({ name, bytes }: ReadTask): Reading {
  try {
    return { value: documents[name].read(parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) }
  } catch (error) {
    if (error instanceof UpstreamFault) return { fault: error.message }
    throw error
  }
}
