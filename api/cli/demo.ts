import pino from 'pino'
import { readSettings } from '../config/settings.js'
import { makeSampleCertificates } from '../demo/certificates.js'
import { makeSampleKeys } from '../demo/keys.js'
import { sampleCdn } from '../demo/sampleCdn.js'
import { makeSampleSnapshots } from '../demo/snapshots.js'
import { openService } from '../server.js'
import { endEarly } from './early.js'
import { CommandFailed } from './failed.js'
import { compileFleet } from './fleet.js'
import { listen } from './serve.js'
import { importInto } from './transfer.js'
import { sayPassword } from './withService.js'
import { sayFleet } from './writeFleet.js'

export async function demoCommand({ once = false, out }: { once?: boolean; out: string }): Promise<void> {
  const settings = readSettings(process.env)
  const service = await openService(settings, {
    log: pino({ level: once ? 'warn' : settings.logLevel }, pino.destination(2)),
  })
  if (service.generatedPassword !== null) sayPassword(settings.adminUsername, service.generatedPassword)
  const { data } = service.services
  let certificates = Promise.resolve()
  if (data.all('servers').length === 0) {
    const { created } = await importInto(service, sampleCdn)
    await makeSampleKeys(service.services)
    certificates = makeSampleCertificates(service.services).then(() => makeSampleSnapshots(service.services))
    process.stdout.write(`loaded the sample CDN: ${created} records\n`)
  }
  // No file needs them, nor the snapshots behind them, so they are made meanwhile.
  const [result] = await Promise.all([compileFleet(service, { out }), certificates])
  sayFleet(result, out)
  if (once) {
    await service.close()
    if (result.failures.length > 0) throw new CommandFailed(`${result.failures.length} files could not be compiled`)
    return
  }
  const url = await listen(service, endEarly())
  process.stdout.write(tour(url, settings.adminUsername, data.all('servers')[0]?.hostName ?? 'HOST'))
}

const tour = (url: string, admin: string, host: string): string => `
Serving ${url}. Try, in another terminal:

  curl -sc jar ${url}/api/1.3/user/login -H 'content-type: application/json' -d '{"u":"${admin}","p":"PASSWORD"}'
  curl -sb jar '${url}/api/1.3/servers?hostName=${host}'
  curl -sb jar ${url}/api/1.3/servers/${host}/configfiles/cachesw
  curl -sb jar ${url}/api/1.3/servers/${host}/configfiles/cachesw/remap.config
  curl -sb jar '${url}/api/1.3/servers/${host}/configfiles/cachesw/remap.config?explain=true'

`
