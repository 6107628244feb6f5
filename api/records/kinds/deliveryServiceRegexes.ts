import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/deliveryServiceRegexes.js'
import type { Caller } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'
import { isHostRegex, othersHosts } from './hostClaims.js'
import { unfitHost } from './serviceHosts.js'

type Regex = RecordOf<typeof fields>

export default defineBehaviour('deliveryServiceRegexes', {
  rules: [({ after, data }) => typeOf('regex', after, data), nameable, claimed],
  tenant: (regex, data) => data.get('deliveryServices', regex.deliveryServiceId)?.tenantId ?? null,
})

interface Change {
  readonly before: Regex | null
  readonly after: Regex
  readonly data: Data
  readonly user: Caller
}

/** Patterns of before are left as they are. */
function* nameable({ before, after, data }: Change) {
  if (before && before.pattern === after.pattern && before.setNumber === after.setNumber) return
  const service = data.get('deliveryServices', after.deliveryServiceId)
  const fault = service && isHostRegex(after, data) ? unfitHost(service, [after], data) : null
  if (fault !== null) yield { path: 'pattern', text: `pattern: ${fault}` }
}

function* claimed({ before, after, data, user }: Change) {
  try {
    new RegExp(after.pattern)
  } catch {
    yield { path: 'pattern', text: 'pattern is not a regular expression' }
    return
  }
  if (before && isAsWide(before, after)) return
  const service = data.get('deliveryServices', after.deliveryServiceId)
  const fault = service && isHostRegex(after, data) ? othersHosts(service, [after], { data, user }) : null
  if (fault !== null) yield { path: 'pattern', text: `pattern: ${fault}`, status: 409 as const }
}

/** What was allowed before is not asked again. */
const isAsWide = (before: Regex, after: Regex): boolean =>
  before.pattern === after.pattern &&
  before.typeId === after.typeId &&
  before.deliveryServiceId === after.deliveryServiceId &&
  // Set 0 is below the domain of the CDN.
  (before.setNumber === after.setNumber || after.setNumber !== 0)
