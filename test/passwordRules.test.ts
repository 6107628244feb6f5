import { createRequire } from 'node:module'
import { expect } from 'chai'
import { passwordFaults } from '../api/config/passwordRules.js'

const texts = (password: string) => passwordFaults(password, password, 'somebody').map(({ text }) => text)

describe('passwords that everybody tries first', () => {
  it('are refused, each of the list, however they are written', () => {
    const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common')
    const listed = (dictionary['passwords-common'] as string[]).filter(({ length }) => length >= 8)
    expect(listed.length).to.be.greaterThan(10_000)
    expect(listed.filter((one) => !texts(one).includes('Password is too common.'))).to.deep.equal([])
    for (const one of ['PASSWORD1', 'TrafficOps', 'Qwerty123', 'edgewright']) expect(texts(one), one).to.have.length(1)
  })

  it('are no others', () => {
    for (const one of ['a-Password-of-tests', 'correct horse battery', 'Xk3_9dk2Pq', 'ünïcödé-pässwörd'])
      expect(texts(one), one).to.deep.equal([])
  })
})
