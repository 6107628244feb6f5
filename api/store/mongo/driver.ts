import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** MongoDB's driver. Loaded when it is first wanted: it is a tenth of a start, and most have no MongoDB. */
export const driver = (): typeof import('mongodb') => require('mongodb')
