import { defineSnapshot } from '../core/defineFile.js'
import { snapshotFaults } from './consistent.js'

/**
 * What stands against freezing the documents of a CDN, as a document of its own: made by the threads and kept until
 * what it read changes, like those it is about.
 */
export default defineSnapshot({
  name: 'faults',
  view: ({ data, subject }) => ({ faults: snapshotFaults(data, subject) }),
})
