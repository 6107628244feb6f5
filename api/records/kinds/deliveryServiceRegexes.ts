import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/deliveryServiceRegexes.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'

type Regex = RecordOf<typeof fields>

export default defineBehaviour('deliveryServiceRegexes', {
  rules,
  tenant: (regex, data) => data.get('deliveryServices', regex.deliveryServiceId)?.tenantId ?? null,
})

function* rules({ after, data }: { after: Regex; data: Data }) {
  yield* typeOf('regex', after, data)
  try {
    new RegExp(after.pattern)
  } catch {
    yield { path: 'pattern', text: 'pattern is not a regular expression' }
  }
}
