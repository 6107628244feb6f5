import { CompileFailed } from '../../compiler/core/compile.js'
import { join } from '../../compiler/core/fileBody.js'
import type { Reader } from '../../compiler/core/reader.js'
import { recorder } from '../../compiler/core/readSet.js'
import { listing } from '../../compiler/listing/listing.js'
import type { Service } from '../server.js'
import type { FleetResult, FleetSource } from './writeFleet.js'
import { writeFleet } from './writeFleet.js'

interface Which {
  readonly cdnId?: number
  readonly server?: string
}

/** Compiles every listed file of the caches of one CDN, or of all, with all threads of a service within the process. */
export const compileFleet = (service: Service, { out, ...which }: Which & { out: string }): Promise<FleetResult> =>
  writeFleet(fleetOf(service, which), out)

function fleetOf({ services, compileMany }: Service, { cdnId, server }: Which): FleetSource {
  const { data, artifacts } = services
  const { fragments, ...tools } = services.compileBasis()
  const { data: reader } = recorder<Reader>(services.workingSet, { grain: 'seen', fragments, tools })
  return {
    caches: data.all('servers').filter((one) => {
      const type = data.get('types', one.typeId)?.name ?? ''
      return (
        /^(EDGE|MID)/.test(type) &&
        (cdnId === undefined || one.cdnId === cdnId) &&
        (server === undefined || one.hostName === server)
      )
    }),
    listing: async ({ id }) => listing(reader, id, '1.3', tools.serviceUrl).configFiles,
    compile: (jobs, done) =>
      compileMany(jobs, (job, outcome) => {
        if (outcome.state !== 'compiled') {
          done(job, { fault: outcome.state === 'missing' ? outcome.text : new CompileFailed(outcome.fault).message })
          return
        }
        artifacts.keep(job, outcome)
        done(job, { ...outcome, bytes: join(outcome.body) })
      }),
  }
}
