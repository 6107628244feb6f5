import { setTimeout as delay } from 'node:timers/promises'
import { compileTemplates } from '../../compiler/core/templates.js'
import { modelSchema } from '../../compiler/data/model.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'
import { threadsLoaded } from '../../workers/loading.js'
import { createPool } from '../../workers/pool.js'
import { SharedLog } from '../../workers/sharedLog.js'

/** Ends pools a while after they were made, from at once to when they surely run; or exits after some milliseconds. */
const how = process.argv[2]!
const workingSet = new WorkingSet(modelSchema)
workingSet.load(1, [])
const log = new SharedLog(workingSet, compileTemplates({}, 1), 1 << 20)
const startPool = () => createPool({ log, workers: 2, vaultKey: new Uint8Array(32), partBytes: 1 << 20 })

if (how === 'pools')
  for (let milliseconds = 0; milliseconds < 200; milliseconds += 5) {
    const pool = startPool()
    await delay(milliseconds)
    await pool.close()
  }
else {
  startPool()
  await delay(Number(how))
  await threadsLoaded()
  process.exit(0)
}
