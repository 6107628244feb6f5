import type { StoreDamaged } from '../rowCheck.js'
import { StoreRefused } from '../store.js'

/** What cannot be trusted is not started with: somebody has to say what is to be in its place. */
export const refusalOf = (dataDir: string, { message }: StoreDamaged): StoreRefused =>
  new StoreRefused(
    `The store in ${dataDir} cannot be used: ${message}. Restore a backup with \`edgewright restore --force FILE\`, ` +
      'or move the data directory away to begin with an empty one.',
  )
