import pino from 'pino'
import { readSettings } from '../api/config/settings.js'
import { freeze } from '../api/operations/snapshots/freeze.js'
import { system } from '../api/schema/privileges.js'
import { openService } from '../api/server.js'

/**
 * Changes a server and freezes its CDN, over and over, until it is killed: `snapshotVersionsChild.ts DATA_DIR`.
 * Prints `start`, then `done VERSION` for every version that was acknowledged.
 */
const settings = readSettings({ DATA_DIR: process.argv[2]!, ADMIN_PASSWORD: 'a-Password-of-tests', WORKERS: '1' })
const { services } = await openService(settings, { log: pino({ level: 'silent' }) })
const cdnId = services.data.ids('cdns', 'name', 'fleet')[0]!
const servers = services.data.by('servers', 'cdnId', cdnId)
process.stdout.write('start\n')
for (let round = 0; ; round++) {
  const { id } = servers[round % servers.length]!
  const tcpPort = 1024 + ((services.workingSet.revision * 7) % 60_000)
  await services.committer.write({ user: system, requestId: `${process.pid}-${round}` }, (transaction) =>
    transaction.update('servers', id, { tcpPort }),
  )
  const { version } = await freeze(
    cdnId,
    { who: { user: system, requestId: 'freezing' }, force: false, asked: null },
    services,
  )
  process.stdout.write(`done ${version.version}\n`)
}
