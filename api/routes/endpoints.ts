import type { Endpoint } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { accountEndpoints } from './account/account.js'
import { sessionEndpoints } from './account/session.js'
import { backupEndpoints } from './backup.js'
import { cdnCheckEndpoints } from './cdnCheck.js'
import { changeEndpoints } from './changes.js'
import { configFileEndpoints } from './configfiles.js'
import { keyEndpoints } from './keys/keys.js'
import { liveEndpoints } from './live.js'
import { logEndpoints } from './logs.js'
import { notImplementedEndpoints } from './notImplemented.js'
import { internalEndpoints } from './routerInternals.js'
import { seriesEndpoints } from './series.js'
import { agentEndpoints } from './servers/agent.js'
import { checkEndpoints } from './servers/checks.js'
import { freezing } from './snapshots/freezing.js'
import { frozenDocumentRoutes } from './snapshots/frozenDocumentRoutes.js'
import { liveDocuments } from './snapshots/liveDocuments.js'
import { statsEndpoints } from './stats.js'
import { systemEndpoints } from './system.js'
import { transferEndpoints } from './transfer.js'
import { watchEndpoints } from './watch.js'

/** What the routes that wait for something use. */
export type RouteParts = Omit<Parts, 'committer' | 'templates'>

/** Every endpoint that is not a record's own, one line per file, with what it uses. */
export function endpoints(parts: RouteParts): readonly Endpoint[] {
  const {
    artifacts,
    catalogue,
    compileBasis,
    compileTogether,
    data,
    dnssec,
    exports,
    failed,
    changeFeed,
    live,
    log,
    logins,
  } = parts
  const { mail, makeRsa, metrics, now, provenPasswords, readiness, reading, registry, restorer, series, sessions } =
    parts
  const { settings, store, updateReads, vault, versions, workingSet } = parts
  return [
    ...accountEndpoints({ data, log, logins, mail, now, sessions, settings, workingSet }),
    ...agentEndpoints({ artifacts, data, reading, sessions, updateReads, workingSet }),
    ...backupEndpoints({ log, now, restorer, store, vault }),
    ...cdnCheckEndpoints({ artifacts, data, now, settings, vault }),
    ...changeEndpoints({ catalogue, data, store, workingSet }),
    ...checkEndpoints,
    ...configFileEndpoints({ artifacts, compileBasis, data, reading, registry, settings, workingSet }),
    ...freezing({ artifacts, compileTogether, data, failed, log, now, settings, versions, workingSet }),
    ...frozenDocumentRoutes({ artifacts, reading, versions }),
    ...internalEndpoints,
    ...keyEndpoints({ data, dnssec, failed, makeRsa, now, vault }),
    ...liveDocuments({ artifacts, data, reading, settings, versions }),
    ...liveEndpoints({ data, live }),
    ...logEndpoints({ data, now, store }),
    ...seriesEndpoints({ data, live, now, series }),
    ...statsEndpoints,
    ...notImplementedEndpoints,
    ...sessionEndpoints({ data, logins, now, provenPasswords, sessions, settings, workingSet }),
    ...systemEndpoints({ metrics, readiness, settings, workingSet }),
    ...transferEndpoints({ catalogue, exports, vault }),
    ...watchEndpoints({ data, changeFeed, store, workingSet }),
  ]
}
