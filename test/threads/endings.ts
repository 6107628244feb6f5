import { setTimeout as delay } from 'node:timers/promises'
import { compileTemplates } from '../../compiler/core/templates.js'
import { modelSchema } from '../../compiler/data/model.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'
import { createPool } from '../../workers/pool.js'
import { SharedLog } from '../../workers/sharedLog.js'
import { serviceUrl } from '../serviceUrl.js'

/** Ends pools a while after they were started: from at once to when they surely run, most while they load. */
const workingSet = new WorkingSet(modelSchema)
workingSet.load(1, [])
const log = new SharedLog(workingSet, compileTemplates({}, 1), 1 << 20)
for (let milliseconds = 0; milliseconds < 240; milliseconds += milliseconds < 80 ? 4 : 20) {
  const pool = createPool({ log, workers: 3, vaultKey: new Uint8Array(32), serviceUrl, partBytes: 1 << 20 })
  pool.start()
  await delay(milliseconds)
  await pool.close()
}
