import { createTransaction } from '../api/journal/createTransaction.js'
import { createRecordKinds } from '../api/journal/kinds.js'
import { plainData } from '../api/journal/plainData.js'
import type { Transaction } from '../api/journal/transaction.js'
import { recordKinds } from '../api/records/kinds/index.js'
import { system } from '../api/schema/privileges.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

export const catalogue = createRecordKinds(recordKinds)

/** The one server there is. */
export const cache = 1

// Of servers only that this one exists matters.
const schema = { serverUpdates: catalogue.schema.serverUpdates!, servers: catalogue.schema.serverUpdates! }

/** A working set in which every step is one revision, as in the journal. */
export function updateWorld() {
  const workingSet = new WorkingSet(schema)
  workingSet.apply({ revision: 1, changes: [{ kind: 'servers', id: cache, after: { id: cache } }] })
  return {
    data: plainData(workingSet, catalogue),
    revision: () => workingSet.revision,
    step: (decide: (transaction: Transaction) => void) => {
      const trial = workingSet.trial()
      const revision = workingSet.revision + 1
      const time = '2026-01-01T00:00:00.000Z'
      const transaction = createTransaction({ workingSet, trial, catalogue, user: system, time, revision })
      decide(transaction)
      const { changes } = transaction
      trial.rollback()
      workingSet.apply({ revision, changes })
    },
  }
}
