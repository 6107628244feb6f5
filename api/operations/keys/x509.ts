import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The library of certificates. Loaded when the first is made or read: it is a tenth of a start. */
export function x509(): typeof import('@peculiar/x509') {
  // The library's containers ask for it, and it must be there first.
  require('reflect-metadata')
  return require('@peculiar/x509')
}
