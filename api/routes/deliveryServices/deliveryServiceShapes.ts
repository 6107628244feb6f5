import { urlsOf } from '../../records/kinds/exampleUrls.js'
import type { Records } from '../../schema/records.js'
import { legacy, nameOf } from '../crud/present.js'
import type { JoinedRow, Presenting } from '../crud/resource.js'

type Joined = JoinedRow<Records['deliveryServices']>

/** The shapes of a delivery service; the interface splits some fields between 1.1 and 1.2. */

export const shape13 = (row: Joined, context: Presenting) => whole(row, context, true)
export const shape11 = (row: Joined, context: Presenting) => legacy(lists11, whole(row, context, false), true)
export const shape12 = (row: Joined, context: Presenting) => legacy(lists12, whole(row, context, false), true)
export const written = (row: Joined, context: Presenting) =>
  legacy(context.version === '1.1' ? lists11 : lists12, whole(row, context, false), false)

const lists11 = {
  legacy: { omit: ['deepCachingType', 'routingName', 'tenant', 'tenantId', 'geoLimitRedirectURL'] },
}
const lists12 = { legacy: { omit: ['signingAlgorithm', 'geoLimitRedirectURL'], numbers: ['tenantId'] } }

function whole(row: Joined, context: Presenting, native: boolean) {
  const { data } = context
  const regexes = data
    .by('deliveryServiceRegexes', 'deliveryServiceId', row.id)
    .map(({ id, typeId, setNumber, pattern }) => ({ id, type: nameOf('types', typeId, context), setNumber, pattern }))
    .sort((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  const hosts = regexes.filter(({ type }) => type === 'HOST_REGEXP')
  return Object.assign(row, {
    profileDescription: data.get('profiles', row.profileId)?.description ?? null,
    geoLimitRedirectUrl: row.geoLimitRedirectURL,
    signed: row.signingAlgorithm !== null,
    exampleURLs: urlsOf(row, hosts, data.get('cdns', row.cdnId)?.domainName ?? ''),
    matchList: regexes.map(({ type, setNumber, pattern }) => ({
      type,
      setNumber: native ? setNumber : String(setNumber),
      pattern,
    })),
  })
}
