import { expect } from 'chai'
import { agreed, surface } from './surface.js'

const routesOf = (files: Readonly<Record<string, string>>): string[] =>
  Object.values(files).flatMap((text) => text.split('\n').filter((line) => /^\S/.test(line)))

describe('the surface', () => {
  it('is the one that was agreed: method, path, versions and least role of every route', () => {
    const said = 'routes were added, taken away or given to others; `npm run surface -- --update`, then read the diff'
    expect(routesOf(surface()).sort(), said).to.deep.equal(routesOf(agreed()).sort())
  })
})
