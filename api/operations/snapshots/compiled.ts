import type { Artifact } from '../../../compiler/core/artifacts.js'
import { snapshotJob } from '../../../compiler/listing/configFiles.js'
import type { Fault } from '../../../compiler/snapshots/faults.js'
import type { Parts } from '../parts.js'
import type { DocumentName, Documents } from './packs.js'
import { hashLength } from './packs.js'

export interface Compiled {
  readonly artifact: Artifact
  readonly bytes: Uint8Array
}

/** A live document as of now, with its bytes. */
export async function compiled(
  name: string,
  cdnId: number,
  { artifacts }: Pick<Parts, 'artifacts'>,
): Promise<Compiled> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const artifact = await artifacts.get(snapshotJob(name, cdnId))
    const bytes = artifacts.bytes(artifact)
    // The cache may have had to let the body go while it was waited for.
    if (bytes) return { artifact, bytes }
  }
  throw tooLargeToKeep()
}

/** A body that is gone each time is larger than all that may be kept. */
const mostAttempts = 5
const tooLargeToKeep = () => new Error('a snapshot document does not fit into CACHE_MB')

export interface Freezable {
  readonly revision: number
  readonly documents: Documents
  readonly hashes: Readonly<Record<DocumentName, string>>
  readonly faults: readonly Fault[]
}

/** What is to be frozen, and the faults against it: all compiled from the data of one revision. */
export async function compiledForFreezing(
  cdnId: number,
  parts: Pick<Parts, 'artifacts' | 'compileTogether' | 'workingSet'>,
): Promise<Freezable> {
  const { artifacts, compileTogether, workingSet } = parts
  const jobs = ['CRConfig', 'monitoring', 'faults'].map((name) => snapshotJob(name, cdnId))
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const known = jobs.map((job) => artifacts.peek(job))
    const isFresh = known.every((artifact) => artifact !== null)
    const made = isFresh ? known : await compileTogether(jobs)
    const revision = isFresh ? workingSet.revision : made[0]!.revision
    const bytes = made.map((artifact) => artifacts.bytes(artifact))
    const [crConfig, monitoring, faults] = bytes
    if (!crConfig || !monitoring || !faults) continue
    if (!isFresh && made.some((artifact) => artifact.revision !== revision)) continue
    // The ETag of a compiled document is the hash of its bytes; megabytes need not be hashed again.
    const [crConfigHash, monitoringHash] = made.map(({ etag }) => etag.slice(0, hashLength))
    return {
      revision,
      documents: { CRConfig: crConfig, monitoring },
      hashes: { CRConfig: crConfigHash!, monitoring: monitoringHash! },
      faults: faultsIn(faults),
    }
  }
  throw tooLargeToKeep()
}

export const faultsIn = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Fault[]
