import type { Model } from '../../compiler/data/model.js'
import type { RecordOf } from './fields.js'
import type { shapes } from './kinds/index.js'

type Shapes = typeof shapes

/** Every kind with the type of its records, derived from the declarations. */
export type Records = { [K in keyof Shapes]: RecordOf<Shapes[K]['fields']> }

/** What compiles read must be there, in the right type: `never` unless a record does not fit the model. */
type Unfit = { [K in keyof Model & keyof Records]: Records[K] extends Model[K] ? never : K }[keyof Model &
  keyof Records]
const fits: Unfit extends never ? true : Unfit = true
void fits
