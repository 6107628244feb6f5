import type { Endpoint } from '../operations/endpoint.js'
import { accountEndpoints } from './account/account.js'
import { sessionEndpoints } from './account/session.js'
import { changeEndpoints } from './changes.js'
import { configFileEndpoints } from './configfiles.js'
import { keyEndpoints } from './keys/keys.js'
import { liveEndpoints } from './live.js'
import { logEndpoints } from './logs.js'
import { notBuiltEndpoints } from './notImplemented.js'
import { internalEndpoints } from './routerInternals.js'
import { agentEndpoints } from './servers/agent.js'
import { checkEndpoints } from './servers/checks.js'
import { snapshotEndpoints } from './snapshots/snapshots.js'
import { measuredEndpoints } from './stats.js'
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
