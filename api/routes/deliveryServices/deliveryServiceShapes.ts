import { urlsOf } from '../../records/kinds/exampleUrls.js'
import type { Records } from '../../schema/records.js'
import { derive, legacy, nameOf } from '../crud/present.js'
import type { JoinedRow, Presenting } from '../crud/resource.js'

type Joined = JoinedRow<Records['deliveryServices']>

/** The shapes of a delivery service; the interface splits some fields between 1.1 and 1.2. */

export const shape13 = (row: Joined, context: Presenting) => whole(row, context, true)
export const shape11 = (row: Joined, context: Presenting) => legacy(lists11, whole(row, context, false), true)
export const shape12 = (row: Joined, context: Presenting) => legacy(lists12, whole(row, context, false), true)
export const written = (row: Joined, context: Presenting) =>
  legacy(context.version === '1.1' ? lists11 : lists12, whole(row, context, false), false)

const lists11 = { legacy: {} }
/** The algorithm is in 1.1 and again in 1.3. */
const lists12 = { legacy: { omit: ['signingAlgorithm'], numbers: ['tenantId'] } }

function whole(row: Joined, context: Presenting, native: boolean) {
  const { data } = context
  // What a version does not show still decides what it does.
  const stored = data.get('deliveryServices', row.id)!
  const regexes = data
    .by('deliveryServiceRegexes', 'deliveryServiceId', row.id)
    .map(({ id, typeId, setNumber, pattern }) => ({ id, type: nameOf('types', typeId, context), setNumber, pattern }))
    .sort((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  const hosts = regexes.filter(({ type }) => type === 'HOST_REGEXP')
  return derive(row, {
    profileDescription: data.get('profiles', stored.profileId)?.description ?? null,
    geoLimitRedirectUrl: stored.geoLimitRedirectURL,
    signed: stored.signingAlgorithm !== null,
    exampleURLs: urlsOf(stored, hosts, data.get('cdns', stored.cdnId)?.domainName ?? ''),
    matchList: regexes.map(({ type, setNumber, pattern }) => ({
      type,
      setNumber: native ? setNumber : String(setNumber),
      pattern,
    })),
  })
}
