import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

/** Makes a self-signed certificate and its key for every line of ssl_multicert.config, in `folder`. */
export async function writeCertificates(multicert: string, folder: string): Promise<void> {
  for (const [, certificate, key] of multicert.matchAll(/^ssl_cert_name=(\S+)\s+ssl_key_name=(\S+)/gm)) {
    await writePair(key!.replace(/\.key$/, ''), join(folder, certificate!), join(folder, key!))
  }
}

/** A self-signed certificate and its key, as PEM; the files are left in `folder`. */
export async function selfSigned(host: string, folder: string): Promise<KeyPair> {
  const [certificate, key] = [join(folder, `${host}.cer`), join(folder, `${host}.key`)]
  await writePair(host, certificate, key)
  return { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
}

/** Good for the host and its neighbours: clients ask caches by their own names, which only share the domain. */
async function writePair(host: string, certificatePath: string, keyPath: string): Promise<void> {
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
    ...['-subj', '/CN=edgewright test', '-addext', `subjectAltName=DNS:${host},DNS:*${host.slice(host.indexOf('.'))}`],
    ...['-keyout', keyPath, '-out', certificatePath],
  ])
}
