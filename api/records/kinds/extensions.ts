import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'

export default defineBehaviour('extensions', {
  rules: ({ after, data }) => typeOf('to_extension', after, data, 'type'),
})
