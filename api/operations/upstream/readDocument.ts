import { doAside } from '../../../workers/aside.js'
import type { DocumentName, DocumentOf } from './documents.js'
import { documents } from './documents.js'
import type { FetchBytes, Upstream } from './fetchJson.js'
import { UpstreamFault } from './fetchJson.js'
import type { Reading, ReadTask } from './readThread.js'
import { readDocument } from './readThread.js'

/**
 * Longer documents are read in a thread of their own: a monitor of a large CDN sends tens of megabytes, and parsing
 * them would hold everybody up for as long.
 */
const longestHere = 512 * 1024

/** Asks an upstream for one of its documents. Rejects with UpstreamFault when it cannot be had or cannot be read. */
export async function fetchDocument<N extends DocumentName>(
  name: N,
  upstream: Upstream,
  fetch: FetchBytes,
): Promise<DocumentOf<N>> {
  const bytes = await fetch(upstream, documents[name].path)
  const task: ReadTask = { name, bytes }
  const reading =
    bytes.length <= longestHere
      ? readDocument(task)
      : await doAside<ReadTask, Reading>({ module: 'api/operations/upstream/readThread', name: 'readDocument', task })
  if ('fault' in reading) throw new UpstreamFault(reading.fault)
  // It is what the reader of that name gives.
  return reading.value as DocumentOf<N>
}
