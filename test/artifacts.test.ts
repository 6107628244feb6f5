import { expect } from 'chai'
import type { Made } from '../compiler/core/artifacts.js'
import { Artifacts } from '../compiler/core/artifacts.js'
import { Budget } from '../compiler/core/budget.js'
import type { TemplateSet } from '../compiler/core/templates.js'
import { compileTemplates } from '../compiler/core/templates.js'
import { WorkingSet } from '../compiler/data/workingSet.js'

const job = { file: 'motd.txt', scope: 'servers', subjectId: 1 } as const

/** What a thread gives back that began with these templates. */
const laidOutWith = (templates: TemplateSet): Made => {
  const text = templates.render('motd', {})
  const bytes = new TextEncoder().encode(text)
  return {
    revision: 0,
    etag: text,
    body: { hash: text, bytes, holes: new Uint32Array(0), name: '' },
    contentType: 'text/plain',
    warnings: [],
    readSet: new Uint32Array(0),
    templates: ['motd'],
    fingerprint: templates.fingerprint(['motd']),
    milliseconds: 1,
  }
}

describe('a compiled file whose template changes while it is compiled', () => {
  it('is not what is given to whoever asks after the change', async () => {
    let templates = compileTemplates({ motd: 'old' }, 1)
    const compiles: ((made: Made) => void)[] = []
    const artifacts = new Artifacts({
      workingSet: new WorkingSet({}),
      templates: () => templates,
      make: () => new Promise((resolve) => compiles.push(resolve)),
      budget: new Budget(2 ** 20),
    })
    const before = artifacts.get(job)
    const old = templates
    templates = compileTemplates({ motd: 'new' }, 2)
    const after = artifacts.get(job)
    compiles[0]!(laidOutWith(old))
    expect((await before).etag).to.equal('old')
    await new Promise((resolve) => setImmediate(resolve))
    compiles[1]?.(laidOutWith(templates))
    expect((await after).etag).to.equal('new')
    expect(artifacts.counts().compiles).to.equal(2)
  })

  it('is compiled once for a thousand who ask before and after a change of another template', async () => {
    let templates = compileTemplates({ motd: 'text', other: 'old' }, 1)
    const compiles: ((made: Made) => void)[] = []
    const artifacts = new Artifacts({
      workingSet: new WorkingSet({}),
      templates: () => templates,
      make: () => new Promise((resolve) => compiles.push(resolve)),
      budget: new Budget(2 ** 20),
    })
    const input = Array.from({ length: 1000 }, (_, at) => {
      if (at === 500) templates = compileTemplates({ motd: 'text', other: 'new' }, 2)
      return artifacts.get(job)
    })
    compiles[0]!(laidOutWith(templates))
    await Promise.all(input)
    expect(compiles).to.have.length(1)
  })
})
