import { expect } from 'chai'
import { headerOf } from '../compiler/cdn/header.js'
import { CompileFailed, compile } from '../compiler/core/compile.js'
import type { CompileContext, View } from '../compiler/core/defineFile.js'
import { cdnFile, FileMissing } from '../compiler/core/defineFile.js'
import { defineFragment } from '../compiler/core/fragments.js'
import { FragmentCache } from '../compiler/core/keptFragments.js'
import { createRegistry } from '../compiler/core/registry.js'
import { compileTemplates } from '../compiler/core/templates.js'
import type { AnyRecord } from '../compiler/data/kindSchema.js'
import { modelSchema } from '../compiler/data/model.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import { serviceUrl } from './serviceUrl.js'

const record = { kind: 'cdns', id: 1, name: 'orb' }
const templates = {
  header: '# for {{header.name}} by {{header.tool}} ({{header.url}})\n',
  file: '{{> header}}\n{{#each lines}}\n{{this}}\n{{/each}}\n',
  bare: '{{#each lines}}\n{{this}}\n{{/each}}\n',
  line: 'line {{n}}',
}

function setUp(view: (context: CompileContext<'cdns'>) => View, { template = 'bare', cdnName = 'orb' } = {}) {
  const workingSet = new WorkingSet(modelSchema)
  const parameter = { id: 1, name: 'tm.url', configFile: 'global', value: 'https://tool/', profiles: [1] }
  workingSet.load(1, [
    { kind: 'cdns', record: { id: 1, name: cdnName, domainName: 'd', dnssecEnabled: false } as AnyRecord, revision: 1 },
    { kind: 'parameters', record: parameter, revision: 1 },
  ])
  const basis = {
    workingSet,
    registry: createRegistry([cdnFile({ name: 'file', template, view })], null, headerOf),
    fragments: new FragmentCache(),
    serviceUrl,
    unseal: (sealed: string) => sealed.toUpperCase(),
  }
  const run = (options?: { explain?: boolean; layout?: Record<string, string>; generation?: number; file?: string }) =>
    compile(
      { file: options?.file ?? 'file', scope: 'cdns', subjectId: 1 },
      { ...basis, templates: compileTemplates({ ...templates, ...options?.layout }, options?.generation) },
      options,
    )
  const change = (kind: string, id: number, after: object | null) =>
    workingSet.apply({ revision: workingSet.revision + 1, changes: [{ kind, id, after: after as AnyRecord | null }] })
  return { run, change, workingSet, fragments: basis.fragments }
}

const line = defineFragment('test.line', ({ data, warn, render }, n: number) => {
  warn('value-ignored', record, `part ${n}`)
  data.get('types', n)
  return render('line', { n })
})

const hostNames = defineFragment('test.hostNames', ({ data }, cdnId: number) =>
  data.by('servers', 'cdnId', cdnId).map(({ hostName }) => hostName),
)

describe('a compile', () => {
  it('lays out what the view says, under a header that names subject, tool and URL', () => {
    const { run } = setUp(({ unseal }) => ({ lines: ['a', unseal('b')] }), { template: 'file' })
    const { text, contentType, warnings, templates } = run()
    expect(text).to.equal('# for orb by Edgewright (https://tool/)\na\nB\n')
    expect(contentType).to.equal('text/plain; charset=utf-8')
    expect({ warnings, templates }).to.deep.equal({ warnings: [], templates: ['file'] })
  })

  it('lets no name begin a line of its own in the header', () => {
    const { run } = setUp(() => ({ lines: [] }), { template: 'file', cdnName: 'orb\r\nmap http://evil\u2028x' })
    const { text, warnings } = run()
    expect(text).to.equal('# for orb map http://evil x by Edgewright (https://tool/)\n')
    expect(warnings.map(({ code }) => code)).to.deep.equal(['text-cleaned'])
  })

  it('reads for the header only where there is one', () => {
    const view = () => ({ lines: [] })
    const edit = { id: 1, name: 'tm.url', configFile: 'global', value: 'https://other/', profiles: [1] }
    for (const [template, unmoved] of [['bare', true] as const, ['file', false] as const]) {
      const { run, change, workingSet } = setUp(view, { template })
      const { readSet } = run()
      change('parameters', 1, edit)
      expect(workingSet.unmoved(readSet, 1)).to.equal(unmoved)
    }
  })

  it('keeps parts, with what they warned of and were laid out with', () => {
    const { run, change, fragments } = setUp((context) => ({ lines: [1, 2, 1].map((n) => line(context, n)) }))
    const first = run()
    expect(first.text).to.equal('line 1\nline 2\nline 1\n')
    expect(first.warnings.map(({ text }) => text)).to.deep.equal(['part 1', 'part 2'])
    expect(first.templates).to.deep.equal(['bare', 'line'])
    expect([run(), fragments.made]).to.deep.equal([first, 2])
    change('types', 2, { id: 2, name: 'T', useInTable: 'server' })
    expect([run(), fragments.made]).to.deep.equal([first, 3])
    const edited = run({ layout: { line: 'LINE {{n}}' }, generation: 2 })
    expect([edited.text, fragments.made]).to.deep.equal(['LINE 1\nLINE 2\nLINE 1\n', 5])
  })

  it('says which questions were asked, those for kept parts too', () => {
    const { run } = setUp((context) => ({ lines: hostNames(context, 1) }))
    expect(run().questions).to.deep.equal([])
    const explained = run({ explain: true })
    expect(explained.questions).to.deep.equal([
      { kind: 'cdns', ask: 'get', key: '1', found: [1] },
      { kind: 'servers', ask: 'by', index: 'cdnId', key: '1', found: [] },
    ])
    expect(explained.readSet).to.deep.equal(run().readSet)
  })

  it('names file and subject when the view or the template fails', () => {
    const { run } = setUp(() => ({ lines: 5 }))
    expect(run)
      .to.throw(CompileFailed, 'file for orb could not be compiled: #each needs a list, not number')
      .that.has.property('fault')
      .that.deep.equals({
        file: 'file',
        scope: 'cdns',
        subjectId: 1,
        subject: 'orb',
        reason: '#each needs a list, not number',
      })
  })

  it('says so when the file or its subject does not exist', () => {
    const { run, change } = setUp(() => {
      throw new FileMissing('no such thing')
    })
    expect(run).to.throw(FileMissing, 'no such thing')
    expect(() => run({ file: 'other' })).to.throw(FileMissing, 'other does not exist for cdns 1.')
    change('cdns', 1, null)
    expect(run).to.throw(FileMissing, 'file does not exist for cdns 1.')
  })
})
