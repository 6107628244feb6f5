import { workerData } from 'node:worker_threads'
import { unseal } from '../compiler/core/vault.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import { batchCompiler } from './batch.js'

/** The module a compiling thread runs. Its data is held in here; nothing else in the program has such state. */
const { vaultKey, partBytes, serviceUrl } = workerData as ThreadData

export interface ThreadData {
  /** 32 bytes: opens the sealed key documents that some files print. */
  readonly vaultKey: Uint8Array
  /** Bound on the parts that the thread keeps between compiles. */
  readonly partBytes: number
  /** Where the service is found where no parameter says so. */
  readonly serviceUrl: string
}

export const compileBatch = batchCompiler(catalogue, {
  unseal: (sealed) => unseal(vaultKey, sealed),
  partBytes,
  serviceUrl,
})
