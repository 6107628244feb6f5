import { compiling } from './compiling.js'
import { edits } from './edits.js'
import { fleets } from './fleets.js'
import { memory } from './memory.js'
import { Report } from './report.js'
import { serving } from './serving.js'
import { starting } from './starting.js'
import { writing } from './writing.js'

/** `npm run bench -- [section …] [--xl]`: without a section, all of them. */
const sections: Readonly<Record<string, (report: Report, options: { xl: boolean }) => Promise<void> | void>> = {
  compiling,
  fleets,
  edits,
  serving,
  starting,
  writing,
  memory,
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const xl = process.argv.includes('--xl')
const unknown = asked.filter((name) => !(name in sections))
if (unknown.length > 0) {
  process.stderr.write(`no such section: ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}\n`)
  process.exit(2)
}

const report = new Report()
for (const [name, run] of Object.entries(sections)) {
  if (asked.length === 0 || asked.includes(name)) await run(report, { xl })
}
process.stdout.write(`${report.summary()}\n`)
process.exit(0)
