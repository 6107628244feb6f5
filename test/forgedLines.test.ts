import { expect } from 'chai'
import fc from 'fast-check'
import { dataOf, directly, goldenCases, jobOf } from './goldenCases.js'
import type { Changes } from './snapshotDocuments.js'

/** Whatever parameters hold, a key-and-value file has one line for each of them and no other. */
describe('forged lines', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\n',
          '\r',
          '\r\n',
          '\0',
          '\u0085',
          '\u2028',
          '"',
          "'",
          '#',
          '=',
          ' ',
          '\t',
          '__RETURN__',
          '__RET',
          'URN__',
        ),
        fc.constantFrom('CONFIG', 'map http://a/ http://b/', 'evil.so', '{{json x}}', '${x}', '\\', '-->', ']]'),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
  const rows = fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 6 })

  const linesOf = (file: string, parameters: readonly (readonly [string, string])[]): string[] => {
    const changes = parameters.map(([name, value], i) => ({
      kind: 'parameters',
      record: { id: 500 + i, name, configFile: file, value, profiles: [3] } as { id: number },
    })) satisfies Changes
    const golden = { file, name: '', path: '', about: { scope: 'profiles', subject: 'ORG', changes } as const }
    const data = dataOf(golden)
    const result = directly(jobOf(golden, data), data)
    if ('missing' in result) throw new Error(result.missing)
    expect(result.text.endsWith('\n')).equal(true)
    return result.text.slice(0, -1).split(/\r\n|[\n\r\v\f\0\u0085\u2028\u2029]|__RETURN__/)
  }

  for (const file of ['records.config', 'plugin.config', 'sysctl.conf', 'astats.config']) {
    it(`cannot be made in ${file}`, () => {
      fc.assert(
        fc.property(rows, (parameters) => {
          const kept = parameters.filter(([name]) => name !== 'location')
          expect(linesOf(file, parameters)).length(1 + Math.max(1, kept.length))
        }),
        { numRuns: 150 },
      )
    })
  }

  const logFields = ['LogFormat.Name', 'LogFormat.Format', 'LogObject.Filename', 'LogObject.Format', 'LogObject.Header']
  for (const file of ['logging.yaml', 'logging.config', 'logs_xml.config']) {
    it(`cannot be made in ${file}`, () => {
      const plain: Record<string, string> = {
        'LogFormat.Name': 'a',
        'LogFormat.Format': 'f',
        'LogObject.Filename': 'x',
        'LogObject.Format': 'a',
        'LogObject.Header': 'h',
      }
      const usual = linesOf(file, Object.entries(plain)).length
      fc.assert(
        fc.property(fc.constantFrom(...logFields), hostile, (field, value) => {
          expect(linesOf(file, Object.entries({ ...plain, [field]: value })).length).at.most(usual)
        }),
        { numRuns: 150 },
      )
    })
  }

  for (const file of ['storage.config', 'volume.config', '50-ats.rules', 'drop_qstring.config']) {
    it(`cannot be made in ${file}`, () => {
      const name = file === 'drop_qstring.config' ? 'content' : 'Drive_Letters'
      const media = (letters: string) =>
        [
          ['Drive_Prefix', '/dev/sd'],
          [name, letters],
        ] as const
      fc.assert(
        fc.property(hostile, (value) => {
          const letters = new Set(value.split(',').map((letter) => letter.trim()))
          expect(linesOf(file, media(value)).length).at.most(2 + Math.max(1, letters.size))
        }),
        { numRuns: 150 },
      )
    })
  }

  it('nor anything else by a tab: it is no more than a space, in every file', () => {
    // Lines are in the order of their texts, in which a tab is before a space.
    const spaced = (text: string) =>
      text
        .replaceAll(/\t|\\t/g, ' ')
        .split('\n')
        .sort()
        .join('\n')
    const tabbed = (record: object) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          typeof value === 'string' && name !== 'name' ? value.replaceAll(' ', '\t') : value,
        ]),
      ) as { id: number }
    for (const one of goldenCases()) {
      const data = dataOf(one)
      const job = jobOf(one, data)
      const plain = directly(job, data)
      const changes = (['parameters', 'deliveryServices'] as const).flatMap((kind) =>
        data.allIds(kind).map((id) => ({ kind, id, after: tabbed(data.get(kind, id)!) })),
      )
      data.apply({ revision: 2, changes })
      const result = directly(job, data)
      const texts = [plain, result].map((made) => ('missing' in made ? made.missing : spaced(made.text)))
      expect(texts[1], `${one.file} ${one.name}`).to.equal(texts[0])
    }
  })
})
