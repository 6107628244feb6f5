import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** Where the certificate, with those of its issuers behind it, and its key lie: PEM, both. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** What they hold, which is known to belong together. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
  /** When the certificate ends, as it says it itself. */
  readonly until: string
}

/** A file that cannot be used; the text names it by its setting. */
class BadFile extends Error {}

/** The pair as it lies in the files now, or a line for each thing that is wrong with it. */
export function readTls(files: TlsFiles): { pair: TlsPair; faults: [] } | { pair: null; faults: string[] } {
  const faults: string[] = []
  const tried = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      faults.push(error.message)
      return null
    }
  }
  const cert = tried(() => read('TLS_CERT', files.cert))
  const key = tried(() => read('TLS_KEY', files.key))
  const until = cert === null ? null : tried(() => endOf(cert, files.cert))
  if (cert === null || key === null || until === null) return { pair: null, faults }
  try {
    createSecureContext({ cert, key })
    return { pair: { cert, key, until }, faults: [] }
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
    const text = why ? 'is not the key of the certificate in TLS_CERT' : 'is no private key in PEM without a passphrase'
    return { pair: null, faults: [`TLS_KEY: ${files.key} ${text}`] }
  }
}

export const tlsFaults = (files: TlsFiles): string[] => readTls(files).faults

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadFile(`${name}: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
  }
}

function endOf(cert: string, file: string): string {
  try {
    return new X509Certificate(cert).validTo
  } catch {
    throw new BadFile(`TLS_CERT: ${file} is no certificate in PEM`)
  }
}
