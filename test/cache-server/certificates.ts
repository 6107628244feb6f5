import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Makes a self-signed certificate and its key for every line of ssl_multicert.config, in `folder`. */
export async function writeCertificates(multicert: string, folder: string): Promise<void> {
  for (const [, certificate, key] of multicert.matchAll(/^ssl_cert_name=(\S+)\s+ssl_key_name=(\S+)/gm)) {
    const host = key!.replace(/\.key$/, '')
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
      ...['-subj', '/CN=edgewright test', '-addext', `subjectAltName=DNS:${host}`],
      ...['-keyout', join(folder, key!), '-out', join(folder, certificate!)],
    ])
  }
}
