import type { Model } from '../compiler/model.js'
import type { RecordOf } from './resource/fields.js'
import type * as divisions from './resources/divisions.js'
import type * as regions from './resources/regions.js'

/** Every kind with the type of its records, derived from the declarations. */
export interface Records {
  divisions: RecordOf<typeof divisions.fields>
  regions: RecordOf<typeof regions.fields>
}

/** What compiles read must be there, in the right type: `never` unless a record does not fit the model. */
type Unfit = { [K in keyof Model & keyof Records]: Records[K] extends Model[K] ? never : K }[keyof Model &
  keyof Records]
const fits: Unfit extends never ? true : Unfit = true
void fits
