import { classicServices } from './classicServices.js'
import { people } from './people.js'
import { places } from './places.js'
import { profileRecords } from './profileRecords.js'
import { servers } from './servers.js'
import { serviceRecords } from './serviceRecords.js'
import { streamServices } from './streamServices.js'

const services = [...streamServices, ...classicServices]

/**
 * A realistic operator as one import document, to be loaded on top of the reference rows: two CDNs, every
 * delivery service type, every option that changes a file, caches of four major versions. References are by
 * name. Names and addresses are those reserved for documentation.
 */
export const sampleCdn = {
  ...people,
  ...places,
  cdns: [
    { name: 'stream', domainName: 'stream.example.net', dnssecEnabled: false },
    { name: 'classic', domainName: 'classic.example.net', dnssecEnabled: false },
  ],
  ...profileRecords(services, servers),
  servers,
  ...serviceRecords(services, servers),
} satisfies Record<string, readonly object[]>
