import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { surface, surfaceFile } from './surface.js'

describe('the surface', () => {
  it('is the one that was agreed: method, path and least role of every route', () => {
    const said = 'routes were added, taken away or given to others; `npm run surface -- --update`, then read the diff'
    expect(surface().split('\n'), said).to.deep.equal(readFileSync(surfaceFile, 'utf8').split('\n'))
  })
})
