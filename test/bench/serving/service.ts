import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importInto } from '../../../api/cli/transfer.js'
import { readSettings } from '../../../api/config/settings.js'
import { makeSampleKeys } from '../../../api/demo/keys.js'
import { sampleCdn } from '../../../api/demo/sampleCdn.js'
import { openService } from '../../../api/server.js'
import type { FleetOptions } from '../../fleet.js'
import { fleetDocument } from '../../fleet.js'
import { seededRandom } from '../../seededRandom.js'
import { benchPassword as password } from './password.js'

/** A whole service with a fleet, on one port as it is and on another without its fast path. Runs as a process. */
export interface ServiceGiven {
  readonly dataDir: string
  /** `null`: what the store holds already. */
  readonly fleet: FleetOptions | 'sample CDN' | null
}

export interface ServiceReady {
  readonly lane: string
  readonly koa: string
  /** The session of an administrator. */
  readonly cookie: string
}

const { dataDir, fleet } = JSON.parse(process.argv[2]!) as ServiceGiven
const settings = readSettings({
  PORT: '0',
  DATA_DIR: dataDir,
  ADMIN_PASSWORD: password,
  WORKERS: '1',
  LOG_LEVEL: 'silent',
})
const service = await openService(settings)
if (fleet === 'sample CDN') {
  await importInto(service, sampleCdn)
  await makeSampleKeys(service.services)
} else if (fleet) await importInto(service, described(fleetDocument(fleet)))
const lane = await listening(service.server)
const koa = await listening(createServer(service.answer))
const login = await fetch(`${lane}/api/1.3/user/login`, {
  method: 'POST',
  body: JSON.stringify({ u: settings.adminUsername, p: password }),
})
const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
process.send!({ lane, koa, cookie } satisfies ServiceReady)
process.once('SIGTERM', () => process.exit(0))

/** Texts as people write them, so that lists do not compress better than they would elsewhere. */
function described(document: ReturnType<typeof fleetDocument>): object {
  const random = seededRandom(1)
  const word = () => Math.floor(random() * 2 ** 30).toString(36)
  const deliveryServices = document.deliveryServices.map((service) => ({
    ...service,
    longDesc: Array.from({ length: 150 }, word).join(' '),
  }))
  return { ...document, deliveryServices }
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
