import type { Data } from '../data.js'
import type { JoinedRow, Presenting } from '../resource/define.js'
import { legacy } from '../resource/present.js'
import type { fields } from './deliveryServiceFields.js'
import { exampleUrls } from './exampleUrls.js'

type Joined = JoinedRow<typeof fields>

/** The shapes of a delivery service; the interface splits some fields between 1.1 and 1.2. */

export const shape13 = (row: Joined, { data }: Presenting) => whole(row, data, true)
export const shape11 = (row: Joined, { data }: Presenting) => legacy({ legacy: in11 }, whole(row, data, false), true)
export const shape12 = (row: Joined, { data }: Presenting) => legacy({ legacy: in12 }, whole(row, data, false), true)
export const written = (row: Joined, { data, version }: Presenting) =>
  legacy({ legacy: version === '1.1' ? in11 : in12 }, whole(row, data, false), false)

const in11 = { omit: ['deepCachingType', 'routingName', 'tenant', 'tenantId', 'geoLimitRedirectURL'] }
const in12 = { omit: ['signingAlgorithm', 'geoLimitRedirectURL'], numbers: ['tenantId'] }

function whole(row: Joined, data: Data, native: boolean) {
  const regexes = data
    .by('deliveryServiceRegexes', 'deliveryServiceId', row.id)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  return {
    ...row,
    profileDescription: data.get('profiles', row.profileId)?.description ?? null,
    geoLimitRedirectUrl: row.geoLimitRedirectURL,
    signed: row.signingAlgorithm !== null,
    exampleURLs: exampleUrls(row, data),
    matchList: regexes.map(({ typeId, setNumber, pattern }) => ({
      type: data.get('types', typeId)!.name,
      setNumber: native ? setNumber : String(setNumber),
      pattern,
    })),
  }
}
