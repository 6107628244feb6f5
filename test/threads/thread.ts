import { workerData } from 'node:worker_threads'
import { cdnFile, FileMissing } from '../../compiler/core/defineFile.js'
import { createRegistry } from '../../compiler/core/registry.js'
import type { Server } from '../../compiler/data/model.js'
import { batchCompiler } from '../../workers/batch.js'
import type { ThreadData } from '../../workers/thread.js'
import { serviceUrl } from '../serviceUrl.js'

/** Shared with the test, which counts in it how often a thread was told to die. */
const { vaultKey: deaths } = workerData as ThreadData

const hosts = (servers: readonly Server[]) => ({ hosts: servers.map(({ hostName }) => hostName) })

/** A compiling thread whose files misbehave, each in one way. */
const files = [
  cdnFile({ name: 'hosts.txt', view: ({ data, subject }) => hosts(data.by('servers', 'cdnId', subject.id)) }),
  cdnFile({
    name: 'throws.txt',
    template: 'hosts.txt',
    view: () => {
      throw new Error('the view is wrong')
    },
  }),
  cdnFile({
    name: 'missing.txt',
    template: 'hosts.txt',
    view: () => {
      throw new FileMissing('there is no such thing')
    },
  }),
  cdnFile({
    name: 'dies.txt',
    template: 'hosts.txt',
    view: () => {
      Atomics.add(deaths, 0, 1)
      process.exit(3)
    },
  }),
  cdnFile({
    name: 'hangs.txt',
    template: 'hosts.txt',
    view: () => {
      Atomics.add(deaths, 0, 1)
      for (;;);
    },
  }),
  cdnFile({
    name: 'dies-once.txt',
    template: 'hosts.txt',
    view: ({ data, subject }) => {
      if (Atomics.add(deaths, 0, 1) === 0) process.exit(3)
      return hosts(data.by('servers', 'cdnId', subject.id))
    },
  }),
]

export const compileBatch = batchCompiler(createRegistry(files), {
  serviceUrl,
  unseal: (sealed) => sealed,
  partBytes: 2 ** 20,
})
