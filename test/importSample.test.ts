import { expect } from 'chai'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { createTransaction } from '../api/journal/createTransaction.js'
import { createRecordKinds } from '../api/journal/kinds.js'
import { importDocument } from '../api/operations/transfer/transfer.js'
import { recordKinds } from '../api/records/kinds/index.js'
import { seed } from '../api/records/seed.js'
import { system } from '../api/schema/privileges.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import { fleetDocument } from './fleet.js'

/** Imports documents one after the other into an empty working set; the result of the last one. */
function imported(...documents: readonly object[]) {
  const catalogue = createRecordKinds(recordKinds)
  const workingSet = new WorkingSet(catalogue.schema)
  const trial = workingSet.trial()
  const transaction = createTransaction({
    workingSet,
    trial,
    catalogue,
    user: system,
    time: '2026-01-01T00:00:00.000Z',
    revision: 1,
  })
  return documents.map((document) => importDocument(transaction, document, catalogue)).at(-1)!
}

const recordsIn = (document: object) => Object.values(document).reduce((sum, records) => sum + records.length, 0)

describe('the documents that come with the project', () => {
  for (const [name, document] of Object.entries({ sample: sampleCdn, fleet: fleetDocument({ size: 'S' }) })) {
    it(`are imported without a fault: ${name}`, () => {
      const result = imported(seed(), document)
      expect(result.faults).to.deep.equal([])
      expect(result.created).to.equal(recordsIn(document))
    })

    it(`change nothing when they are imported again: ${name}`, () => {
      const result = imported(seed(), document, document)
      expect(result).to.deep.include({ faults: [], created: 0, updated: 0 })
    })
  }

  it('are imported without a fault: the reference rows', () => {
    expect(imported(seed())).to.deep.include({ faults: [], created: recordsIn(seed()) })
  })
})
