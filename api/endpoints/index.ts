import type { Endpoint } from '../endpoint.js'
import { accountEndpoints } from './account.js'
import { agentEndpoints } from './agent.js'
import { changeEndpoints } from './changes.js'
import { checkEndpoints } from './checks.js'
import { configFileEndpoints } from './configfiles.js'
import { internalEndpoints } from './internal.js'
import { keyEndpoints } from './keys.js'
import { liveEndpoints } from './live.js'
import { logEndpoints } from './logs.js'
import { measuredEndpoints } from './measured.js'
import { notBuiltEndpoints } from './notBuilt.js'
import { sessionEndpoints } from './session.js'
import { snapshotEndpoints } from './snapshots.js'
import { systemEndpoints } from './system.js'
import { transferEndpoints } from './transfer.js'
import { watchEndpoints } from './watch.js'

/** Every endpoint that is not a record's own, one line per file. */
export const endpoints: readonly Endpoint[] = [
  ...accountEndpoints,
  ...agentEndpoints,
  ...changeEndpoints,
  ...checkEndpoints,
  ...configFileEndpoints,
  ...internalEndpoints,
  ...keyEndpoints,
  ...liveEndpoints,
  ...logEndpoints,
  ...measuredEndpoints,
  ...notBuiltEndpoints,
  ...sessionEndpoints,
  ...snapshotEndpoints,
  ...systemEndpoints,
  ...transferEndpoints,
  ...watchEndpoints,
]
