import { expect } from 'chai'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { createTransaction } from '../api/journal/createTransaction.js'
import { createRecordKinds } from '../api/journal/kinds.js'
import { importDocument } from '../api/operations/transfer/transfer.js'
import { recordKinds } from '../api/records/kinds/index.js'
import { seed } from '../api/records/seed.js'
import { starterParameters, starterProfiles } from '../api/records/seedStarters.js'
import { findOne } from '../api/schema/data.js'
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
  const results = documents.map((document) => importDocument(transaction, document, catalogue))
  return { ...results.at(-1)!, data: transaction.data }
}

const recordsIn = (document: object) => Object.values(document).reduce((sum, records) => sum + records.length, 0)

describe('the documents that come with the project', () => {
  for (const [name, document] of Object.entries({ sample: sampleCdn, fleet: fleetDocument({ size: 'S' }) })) {
    it(`are imported without a fault: ${name}`, () => {
      const { data, ...result } = imported(seed(), document)
      expect(result.faults).to.deep.equal([])
      // A parameter that the reference rows have, too, is one record for the profiles of both.
      expect(result.created + result.updated).to.equal(recordsIn(document))
      const linked = (name: string) =>
        data
          .by('parameters', 'profiles', findOne(data, 'profiles', 'name', name)!.id)
          .map(({ name, configFile, value }) => `${configFile} ${name} ${value}`)
      for (const { name } of [...starterProfiles(), ...document.profiles]) {
        const said = [...starterParameters(), ...document.parameters].filter(({ profiles }) =>
          (profiles as string[]).includes(name),
        )
        expect(linked(name).sort(), name).to.deep.equal(
          said.map(({ name, configFile, value }) => `${configFile} ${name} ${value}`).sort(),
        )
      }
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
