import { expect } from 'chai'
import fc from 'fast-check'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import { drained } from '../api/flow/slices.js'
import { createTransaction } from '../api/journal/createTransaction.js'
import { createRecordKinds } from '../api/journal/kinds.js'
import type { ImportPlan } from '../api/operations/transfer/importPlan.js'
import { planSteps } from '../api/operations/transfer/importPlan.js'
import type { ImportOptions, ImportResult } from '../api/operations/transfer/transfer.js'
import { exportDocument, importDocument } from '../api/operations/transfer/transfer.js'
import { recordKinds } from '../api/records/kinds/index.js'
import { seed } from '../api/records/seed.js'
import { system } from '../api/schema/privileges.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

type Document = Record<string, Record<string, unknown>[]>

const catalogue = createRecordKinds(recordKinds)
const workingSet = new WorkingSet(catalogue.schema)
const trial = workingSet.trial()
let times = 0

/** Imports on top of what was imported before; each with a time of its own. */
function imported(document: object, options: ImportOptions = {}): ImportResult & { plan: ImportPlan } {
  const time = new Date(Date.UTC(2026, 0, 1) + times++).toISOString()
  const transaction = createTransaction({ workingSet, trial, catalogue, user: system, time, revision: 1 })
  const result = importDocument(transaction, document, catalogue, options)
  return { ...result, plan: drained(planSteps(transaction, catalogue)) }
}

const exported = (): Document => {
  const plain = createTransaction({ workingSet, trial, catalogue, user: system, time: '', revision: 1 })
  return structuredClone(exportDocument(plain.data, catalogue)) as Document
}

const lines = ({ changes }: ImportPlan): string[] =>
  changes.map(({ kind, name, action, fields }) => {
    const said = fields.map(
      ({ field, before, after }) => `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    )
    return [`${action} ${kind} ${name}`, ...said].join(' | ')
  })

/** One edit of a document, by numbers that say where: what people do to an export. */
type Edit = readonly ['remove' | 'copy' | 'take' | 'clear', number, number, number]

const edit = fc.tuple(fc.constantFrom('remove', 'copy', 'take', 'clear'), fc.nat(1000), fc.nat(1000), fc.nat(1000))

function edited(document: Document, edits: readonly Edit[]): Document {
  const result = structuredClone(document)
  const collections = Object.keys(result)
  for (const [how, a, b, c] of edits) {
    const records = result[collections[a % collections.length]!]!
    if (records.length === 0) continue
    const at = b % records.length
    const record = records[at]!
    const names = Object.keys(record)
    const name = names[c % names.length]!
    if (how === 'remove') records.splice(at, 1)
    if (how === 'take') record[name] = records[c % records.length]![name]
    if (how === 'clear') record[name] = null
    if (how === 'copy') {
      const again = Object.entries(record).map(([key, value]) => [
        key,
        typeof value === 'string' ? `${value}-2` : value,
      ])
      const first = catalogue.of(collections[a % collections.length]!).key
      records.push({ ...record, ...(first === null ? Object.fromEntries(again) : { [first]: `${record[first]}-2` }) })
    }
  }
  return result
}

describe('the plan of an import', function () {
  this.timeout(60_000)
  let whole: Document
  before(() => {
    imported(seed())
    imported(sampleCdn)
    whole = exported()
  })

  let mark = 0
  beforeEach(() => {
    mark = trial.mark()
  })
  afterEach(() => trial.rollback(mark))

  it('is empty for what is there, with and without removing the rest', () => {
    for (const prunes of [false, true]) {
      const { faults, plan, removed } = imported(whole, { prunes })
      expect({ faults, lines: lines(plan), removed }).to.deep.equal({ faults: [], lines: [], removed: 0 })
    }
  })

  it('names records and fields, refers by name, and shows no secret', () => {
    const edge = whole.servers!.find(({ hostName }) => hostName === 'edge-chi-01')!
    const other = whole.cachegroups!.find(({ name }) => name !== edge.cachegroup)!.name
    const { plan, faults } = imported({
      servers: [{ ...edge, cachegroup: other, rack: 'r9', iloPassword: 'told-nobody' }],
      asns: [{ asn: 64999, cachegroup: other }],
      users: [
        {
          username: 'zoe',
          fullName: 'Zoe',
          email: 'z@example.net',
          role: 'operations',
          tenant: 'root',
          passwordHash: 'SCRYPT:x',
        },
      ],
    })
    expect(faults).to.deep.equal([])
    expect(lines(plan)).to.include(
      `update servers edge-chi-01 | cachegroupId: "${edge.cachegroup}" → "${other}" | rack: ${JSON.stringify(edge.rack)} → "r9" | iloPassword: null → "********"`,
    )
    expect(lines(plan)).to.include(`create asns 64999 ${other} | asn: null → 64999 | cachegroupId: null → "${other}"`)
    expect(JSON.stringify(plan))
      .to.contain('********')
      .and.not.match(/told-nobody|SCRYPT/)
  })

  it('removes only what it is told to, of the collections that the document has', () => {
    const { asns, parameters, ...rest } = whole
    const less = { ...rest, asns: asns!.slice(1) }
    expect(lines(imported(less).plan)).to.deep.equal([])
    const { plan, removed } = imported(less, { prunes: true })
    expect(lines(plan)).to.deep.equal([`delete asns ${asns![0]!.asn} ${asns![0]!.cachegroup}`])
    expect(removed).to.equal(1)
    expect(exported().parameters).to.deep.equal(parameters)
    const { profiles: _, ...others } = whole
    const held = imported({ ...others, profiles: [] }, { prunes: true })
      .faults.map(({ text }) => text)
      .join('\n')
    expect(held).to.contain("profiles: 'GLOBAL' cannot be removed: The profile GLOBAL cannot be deleted.")
  })

  it('leaves what the service adds by itself to a record of the document', () => {
    const [service] = whole.deliveryServices!.filter(({ orgServerFqdn }) => orgServerFqdn !== null)
    const added = { ...service, xmlId: 'by-hand', displayName: 'by hand', edgeHeaderRewrite: 'rm-header X' }
    const document = { ...whole, deliveryServices: [...whole.deliveryServices!, added] }
    const first = lines(imported(document, { prunes: true }).plan).join('\n')
    expect(first).to.contain('create deliveryServices by-hand').and.contain('create origins by-hand')
    expect(lines(imported(document, { prunes: true }).plan)).to.deep.equal([])
  })

  it('comes to what the document says: after it, the plan is empty', () => {
    let applied = 0
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean(), (edits, prunes) => {
        const mark = trial.mark()
        try {
          const document = edited(whole, edits as readonly Edit[])
          const first = imported(document, { prunes })
          if (first.faults.length > 0) return
          applied += Number(first.plan.changes.length > 0)
          const again = imported(document, { prunes })
          expect(again.faults, 'faults').to.deep.equal([])
          expect(lines(again.plan), `after ${lines(first.plan).join('\n')}`).to.deep.equal([])
        } finally {
          trial.rollback(mark)
        }
      }),
      { numRuns: 50 },
    )
    expect(applied).to.be.greaterThan(0)
  })
})
