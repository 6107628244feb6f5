import { parameterRecords, settingsOf } from './parameterRecords.js'
import { globalSettings, profileDescriptions } from './profiles.js'
import type { servers as sampleServers } from './servers.js'
import type { SampleService } from './service.js'
import { serviceFiles } from './serviceFiles.js'
import { carries } from './serviceRecords.js'

/** The profiles, and the parameters of the profiles and of the delivery services' own files. */
export function profileRecords(services: readonly SampleService[], servers: typeof sampleServers) {
  const descriptions = profileDescriptions()
  const profilesOf = (chosen: typeof sampleServers) => new Set(chosen.map(({ profile }) => profile))
  return {
    profiles: descriptions.map(({ files: _, ...profile }) => ({ ...profile, routingDisabled: false })),
    parameters: parameterRecords([
      ...settingsOf('GLOBAL', globalSettings),
      ...descriptions.flatMap(({ name, files }) => settingsOf(name, files)),
      ...services.flatMap((service) =>
        serviceFiles(service.record, {
          edges: profilesOf(servers.filter((server) => server.type === 'EDGE' && carries(server, service))),
          mids: profilesOf(servers.filter(({ type, cdnName }) => type === 'MID' && cdnName === service.record.cdnName)),
        }),
      ),
    ]),
  }
}
