import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { readImportBody } from '../api/operations/transfer/importBody.js'

/** A body that arrives in pieces of these sizes, over and over. */
const arriving = (text: string, sizes: readonly number[]): IncomingMessage => {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return Object.assign(Readable.from(pieces), { complete: true }) as unknown as IncomingMessage
}

const read = (text: string, sizes: readonly number[] = [7]) =>
  readImportBody(arriving(text, sizes), 2 ** 30, { take: () => undefined })
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const values = fc.jsonValue({ maxDepth: 3 })
const documents = fc.dictionary(fc.string(), fc.oneof(fc.array(values, { maxLength: 6 }), values))

describe('the body of an import', () => {
  it('is what a parser of the whole makes of it, however it arrives', () =>
    fc.assert(
      fc.asyncProperty(documents, sizes, fc.boolean(), async (document, pieces, spaced) => {
        const text = JSON.stringify(document, null, spaced ? 1 : 0)
        expect(await read(text, pieces)).to.deep.equal(JSON.parse(text))
      }),
    ))

  it('is refused when a parser of the whole refuses it', () =>
    fc.assert(
      fc.asyncProperty(
        documents,
        sizes,
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\1 '),
        async (document, pieces, place, put) => {
          const text = JSON.stringify(document)
          const at = place % (text.length + 1)
          const broken = text.slice(0, at) + put + text.slice(at)
          const whole = parsed(broken)
          const own = await read(broken, pieces).catch((error: Error) => error)
          if (whole === undefined) expect(own, broken).to.be.instanceOf(Error)
          else if (!(own instanceof Error)) expect(own, broken).to.deep.equal(whole)
          else expect(own.message).to.match(/twice/)
        },
      ),
      { numRuns: 500 },
    ))

  it('comes in many batches, with a record after every comma', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) => ({ name: `record ${at}`, text: '], }{"\\" ' }))
    const text = JSON.stringify({ some: records, more: records })
    expect(await read(text, [65_536])).to.deep.equal({ some: records, more: records })
    const long = `{"some":[${'"x",'.repeat(100_000)}`
    for (const end of [']}', ',"x"]}', '"x"', '"x"]', '"x"}'])
      expect(await refusal(`${long}${end}`)).to.match(/valid JSON/)
  })

  it('has each collection once', async () => {
    expect(await refusal('{"cdns":[],"servers":[],"cdns":[]}')).to.match(/twice/)
    expect(await refusal('{"cdns":[1],"cd\\u006es":5}')).to.match(/twice/)
  })

  it('has no record, number of collections or depth without end', async () => {
    expect(await refusal(`{"cdns":["${'x'.repeat(9_000_000)}"]}`)).to.match(/larger/)
    expect(await refusal(`{"cdns":[${'['.repeat(5000)}${']'.repeat(5000)}]}`)).to.match(/deeper/)
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`kind${at}`, []]))
    expect(await refusal(JSON.stringify(many))).to.match(/too many collections/)
  })
})

const refusal = (text: string): Promise<string> =>
  read(text, [65_536]).then(
    () => 'taken',
    (error: Error) => error.message,
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
