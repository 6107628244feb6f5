import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { BrokenTemplate, TemplateSet } from '../compiler/core/templates.js'
import { compileTemplates, loadTemplates } from '../compiler/core/templates.js'
import { watchTemplates } from '../compiler/core/watchTemplates.js'

const render = (source: string, view: object) => compileTemplates({ a: source }).render('a', view)

describe('templates', () => {
  it('lay out text as it is, without escapes', () => {
    expect(render('{{a}} {{{a}}}\n', { a: `<"&'=` })).to.equal(`<"&'= <"&'=\n`)
  })

  it('print null as nothing, and refuse what the view does not have', () => {
    expect(render('[{{a}}]', { a: null })).to.equal('[]')
    expect(() => render('{{b}}', { a: 1 })).to.throw('"b" not defined')
    expect(() => compileTemplates({}).render('a', {})).to.throw('there is no template a.hbs')
  })

  it('repeat for each of a list, and refuse what is none', () => {
    const list = '{{#each a}}<{{this}}>{{else}}none{{/each}}'
    expect([render(list, { a: [1, 'x'] }), render(list, { a: [] })]).to.deep.equal(['<1><x>', 'none'])
    expect(() => render(list, {})).to.throw('#each needs a list, not undefined')
    expect(() => render(list, { a: null })).to.throw('#each needs a list')
    expect(render('{{#each a}}{{b}}{{../c}} {{/each}}', { a: [{ b: 1 }, { b: 2 }], c: 3 })).to.equal('13 23 ')
  })

  it('know the helpers json and xmlComment, and no others', () => {
    expect(render('{{json a}}', { a: ['"', null] })).to.equal('["\\"",null]')
    expect(render('<!-- {{xmlComment a}} -->', { a: 'a---b-->c-' })).to.equal('<!-- a- - -b- ->c-  -->')
    expect(() => render('{{upper a}}', { a: 1 })).to.throw('used the unknown helper upper')
  })

  it('choose by what is there: neither null, 0, an empty text nor an empty list is', () => {
    const chosen = (a: unknown) => render('{{#if a}}yes{{else}}no{{/if}} {{#unless a}}no{{else}}yes{{/unless}}', { a })
    for (const value of [null, 0, '', false, []]) expect(chosen(value)).to.equal('no no')
    for (const value of [1, '0', true, [0], {}]) expect(chosen(value)).to.equal('yes yes')
    expect(render('{{#if a}}1{{else if b}}2{{else}}3{{/if}}', { a: null, b: 1 })).to.equal('2')
    expect(render('{{#if a.b}}1{{else}}2{{/if}}', { a: { b: 0 } })).to.equal('2')
    expect(() => render('{{#if a.b}}1{{/if}}', {})).to.throw()
  })

  it('find what is around a list, also of one within another', () => {
    const view = {
      x: 'x',
      a: [
        { y: 1, b: [10, 20] },
        { y: 2, b: [] },
      ],
    }
    const source = '{{#each a}}{{#each b}}{{../../x}}{{../y}}:{{this}} {{else}}{{../x}}{{y}} none{{/each}}{{/each}}'
    expect(render(source, view)).to.equal('x1:10 x1:20 x2 none')
  })

  it('lay out a part with a view of its own, behind the indent of its line', () => {
    const sources = { a: '{{#each list}}\n  {{> b}}\n{{/each}}\n{{> b one}}', b: '[{{name}}]\n' }
    const view = { list: [{ name: 'x' }, { name: 'y' }], one: { name: 'z' } }
    expect(compileTemplates(sources).render('a', view)).to.equal('  [x]\n  [y]\n[z]\n')
  })

  it('are refused for what they cannot say, with the line', () => {
    const refusals = {
      '\n{{a b}}': 'used the unknown helper a - 2:0',
      '{{> (a)}}': 'a partial must be named, not computed',
      '{{#each a}}': 'Parse error on line 1',
    }
    for (const [source, reason] of Object.entries(refusals)) {
      expect(() => compileTemplates({ a: source }), source).to.throw(reason)
    }
  })

  it('take a view for data only, whatever names it uses', () => {
    expect(render(`{{["+view0+"]}}{{[a"b]}}`, { '"+view0+"': 1, 'a"b': 2 })).to.equal('12')
    expect(render('\u2028`${1}\\', {})).to.equal('\u2028`${1}\\')
  })

  it('have a fingerprint that follows their own text and that of their partials, and nothing else', () => {
    const before = { a: '{{> b}}', b: '{{> c}}', c: 'c', d: 'd' }
    const print = (sources: Record<string, string>, ...names: string[]) => compileTemplates(sources).fingerprint(names)
    expect(print({ ...before, d: 'x' }, 'a')).to.equal(print(before, 'a'))
    expect(print({ ...before, c: 'x' }, 'a')).not.to.equal(print(before, 'a'))
    expect(print({ ...before, d: 'x' }, 'a', 'd')).not.to.equal(print(before, 'a', 'd'))
  })
})

describe('a folder of templates', () => {
  let folder: string
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.hbs`), text)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-templates-'))
    write('good', 'good {{a}}\n')
    write('usesPart', '{{> part}}!\n')
    write('part', 'part')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is read as a set of the first generation', () => {
    const { templates, broken } = loadTemplates(folder)
    expect(broken).to.deep.equal([])
    expect(templates.generation).to.equal(1)
    expect(templates.render('usesPart', {})).to.equal('part!\n')
  })

  it('keeps the last good text of a template that does not compile, or is gone', () => {
    const first = loadTemplates(folder).templates
    write('good', '{{#if a}}')
    write('part', 'new part')
    write('usesOther', '{{> other}}')
    rmSync(join(folder, 'usesPart.hbs'))
    const { templates, broken } = loadTemplates(folder, first)
    expect(broken.map(({ name }) => name)).to.deep.equal(['good', 'usesOther', 'usesPart'])
    expect(broken[1]?.message).to.equal('there is no partial other')
    expect(templates.generation).to.equal(2)
    expect(templates.render('good', { a: 1 })).to.equal('good 1\n')
    expect(templates.render('usesPart', {})).to.equal('new part!\n')
  })

  it('gives the same set again when nothing in use changed', () => {
    const first = loadTemplates(folder).templates
    write('good', '{{#if a}}')
    expect(loadTemplates(folder, first).templates).to.equal(first)
  })

  it('is followed while it is edited: broken edits are refused, good ones used', async () => {
    const heard = new Heard()
    const { templates } = loadTemplates(folder)
    const watched = watchTemplates({
      folder,
      templates,
      onChange: (set) => heard.say(set),
      onRefused: (broken) => heard.say(broken),
    })
    try {
      await watched.ready
      write('good', '{{/if}}')
      const refused = (await heard.next()) as readonly BrokenTemplate[]
      expect(refused.map(({ name }) => name)).to.deep.equal(['good'])
      expect(watched.broken()).to.deep.equal(refused)
      write('good', 'better {{a}}\n')
      expect(await heard.next()).to.deep.equal([])
      const second = (await heard.next()) as TemplateSet
      expect(second.generation).to.equal(2)
      expect(second.render('good', { a: 1 })).to.equal('better 1\n')
      expect(watched.broken()).to.deep.equal([])
      expect(templates.render('good', { a: 1 })).to.equal('good 1\n')
      rmSync(folder, { recursive: true })
      const gone = (await heard.next()) as readonly BrokenTemplate[]
      expect(gone[0]?.message).to.match(/gone|cannot be followed/)
    } finally {
      await watched.close()
    }
  })
})

/** What was said, to be waited for one by one. */
class Heard {
  readonly #said: unknown[] = []
  #listener: ((said: unknown) => void) | undefined

  say(said: unknown): void {
    if (this.#listener) this.#listener(said)
    else this.#said.push(said)
    this.#listener = undefined
  }

  async next(): Promise<unknown> {
    if (this.#said.length > 0) return this.#said.shift()
    return new Promise((resolve) => {
      this.#listener = resolve
    })
  }
}
