import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { writeCertificates } from './certificates.js'

/** A compiled file and where the listing of a server puts it. */
export interface PlacedFile {
  readonly fnameOnDisk: string
  /** Absolute folder on the cache server. */
  readonly location: string
  readonly text: string
}

/** What the cache agent puts in for the placeholders it finds in a file. */
export interface Machine {
  readonly hostName: string
  readonly domainName: string
  readonly tcpPort: number
  readonly ipAddress: string
}

/**
 * Writes the files into `folder` as the cache agent would below the cache server's config folder, with the packaged
 * form of every file that was not compiled, and a self-signed certificate for each one that ssl_multicert.config names.
 * Gives the names of the files that belong elsewhere on the machine and are of no concern to the cache server.
 */
export async function layOut(
  files: readonly PlacedFile[],
  { folder, machine, defaults }: { folder: string; machine: Machine; defaults: string },
): Promise<readonly string[]> {
  await cp(defaults, folder, { recursive: true })
  const base = files.find(({ fnameOnDisk }) => fnameOnDisk === 'remap.config')?.location
  if (base === undefined) throw new Error('remap.config is not among the files')
  const elsewhere: string[] = []
  for (const file of files) {
    const place = relative(base, join(file.location, file.fnameOnDisk))
    if (place.startsWith('..')) {
      elsewhere.push(file.fnameOnDisk)
      continue
    }
    await mkdir(dirname(join(folder, place)), { recursive: true })
    await writeFile(join(folder, place), asOnDisk(file.text, machine))
  }
  const certificates = files.find(({ fnameOnDisk }) => fnameOnDisk === 'ssl_multicert.config')
  if (certificates) await writeCertificates(certificates.text, folder)
  // Even its own check is done with the rights of another user.
  await promisify(execFile)('chmod', ['-R', 'a+rX', folder])
  return elsewhere
}

/** The text with the agent's placeholders replaced (clients.md §4). */
export function asOnDisk(text: string, { hostName, domainName, tcpPort, ipAddress }: Machine): string {
  const ported =
    tcpPort === 80
      ? text.replaceAll(':__SERVER_TCP_PORT__', '')
      : text.replaceAll('__SERVER_TCP_PORT__', String(tcpPort))
  return ported
    .replaceAll('__CACHE_IPV4__', ipAddress)
    .replaceAll('__FULL_HOSTNAME__', `${hostName}.${domainName}`)
    .replaceAll('__HOSTNAME__', hostName)
    .replaceAll(/\s*__RETURN__\s*/g, '\n')
}
