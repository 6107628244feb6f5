import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { catalogue } from '../compiler/listing/configFiles.js'
import type { GoldenCase } from './goldenCases.js'
import { dataOf, directly, expected, goldenCase, goldenCases, jobOf } from './goldenCases.js'

/**
 * `npm run golden`: says which samples differ from what is compiled.
 * `npm run golden -- --update [file[/case]]`: writes them; then read the diff. A file without samples gets a `basic` one.
 */
const args = process.argv.slice(2)
const update = args.includes('--update')
const name = args.find((arg) => !arg.startsWith('--'))

let differing = 0
for (const one of chosen()) {
  const { path, about } = one
  const data = dataOf(one)
  const now = directly(jobOf(one, data), data)
  if (matches(one, now)) continue
  differing += 1
  console.log(`${update ? 'wrote' : 'differs'}: ${one.file}/${one.name}`)
  if (!update) continue
  mkdirSync(dirname(path), { recursive: true })
  const { warnings: _, missing: __, ...rest } = about
  if ('text' in now) writeFileSync(`${path}.txt`, now.text)
  else rmSync(`${path}.txt`, { force: true })
  const told =
    'missing' in now
      ? { ...rest, missing: now.missing }
      : now.warnings.length > 0
        ? { ...rest, warnings: now.warnings }
        : rest
  if (Object.keys(told).length > 0) writeFileSync(`${path}.json`, `${JSON.stringify(told, null, 2)}\n`)
}
console.log(`${differing} of ${chosen().length} samples ${update ? 'written' : 'differ'}`)
if (differing > 0 && !update) process.exitCode = 1

function chosen(): GoldenCase[] {
  if (name === undefined) return goldenCases()
  const cases = goldenCases().filter((one) => one.file === name || `${one.file}/${one.name}` === name)
  if (cases.length > 0) return cases
  if (catalogue.resolve(name)?.listed) return [goldenCase(name, 'basic')]
  throw new Error(`there is no sample ${name}, and no file of that name`)
}

function matches(one: GoldenCase, now: ReturnType<typeof directly>): boolean {
  try {
    return JSON.stringify(expected(one)) === JSON.stringify(now)
  } catch {
    return false
  }
}
