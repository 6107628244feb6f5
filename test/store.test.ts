import { describeStore } from './store/contract.js'
import { onMongodb } from './store/onMongodb.js'
import { embeddedPlace, mongoPlace } from './store/places.js'

describe('store', () => {
  describe('embedded', () => describeStore(embeddedPlace))
  onMongodb('store', (mongodb) => describeStore(() => mongoPlace(mongodb().uri)))
})
