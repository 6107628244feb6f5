import { expect } from 'chai'
import { compileTemplates } from '../compiler/core/templates.js'
import { catalogue } from '../compiler/listing/configFiles.js'
import type { GoldenCase } from './goldenCases.js'
import { dataOf, directly, goldenCases, jobOf, templates } from './goldenCases.js'

/**
 * What the golden samples are samples of. Each is compiled once more with templates that say which of their lists has an
 * element, and whose headers are empty.
 */
describe('golden samples', () => {
  const cases = goldenCases()
  const lists = new Map<string, string>()
  const marked = compileTemplates(
    Object.fromEntries([...templates.templates].map(([name, { source }]) => [name, markedSource(name, source)])),
  )
  const texts = new Map<GoldenCase, string>()
  before(() => {
    for (const one of cases) {
      const data = dataOf(one)
      const result = directly(jobOf(one, data), data, { templates: marked })
      texts.set(one, 'text' in result ? result.text : '')
    }
  })

  it('reach every list of every template', () => {
    const reached = new Set([...texts.values()].flatMap((text) => text.match(mark) ?? []))
    const missed = [...lists].filter(([one]) => !reached.has(one)).map(([, where]) => where)
    expect(missed, said).to.deep.equal([])
  })

  it('have, of every file, one with more than a header', () => {
    const full = [...texts].filter(([, text]) => text.replace(mark, '').trim() !== '').map(([{ file }]) => file)
    const sampled = new Set(full.map((file) => definitionOf(file)))
    // What is never there says so in its sample.
    const absent = new Set(
      cases.filter(({ about }) => about.missing !== undefined).map(({ file }) => definitionOf(file)),
    )
    const there = new Set(
      cases.filter(({ about }) => about.missing === undefined).map(({ file }) => definitionOf(file)),
    )
    const bare = catalogue.definitions.filter(
      (definition) => !sampled.has(definition) && (there.has(definition) || !absent.has(definition)),
    )
    expect(
      bare.map(({ name }) => String(name)),
      said,
    ).to.deep.equal([])
  })

  function markedSource(name: string, source: string): string {
    if (name.startsWith('header')) return ''
    return source.replace(/\{\{~?#each ([^}]*)\}\}/g, (block, list: string) => {
      const one = `«list ${lists.size}»`
      lists.set(one, `${name}.hbs: {{#each ${list}}}`)
      return block + one
    })
  }
})

/** What to do about it. */
const said =
  'No sample has anything there. Records that a case needs go into `changes` of its .json in test/samples/<file>/; ' +
  'then `npm run golden -- --update <file>`, and read what it wrote.'

const definitionOf = (file: string) => catalogue.resolve(file)?.definition

const mark = /«list \d+»/g
