import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Client } from '../build.js'
import type { PlacedFile } from './layOut.js'

/**
 * What the field's cache agent fetches for one cache: the listing, then every file where the listing says, each
 * with a digest or a length to check it against (clients.md §4).
 */
export async function fetchedFiles(client: Client, hostName: string): Promise<PlacedFile[]> {
  const { body: listing } = await client.ok('GET', `/api/1.2/servers/${hostName}/configfiles/ats`)
  const files: PlacedFile[] = []
  for (const { fnameOnDisk, location, apiUri } of listing.configFiles as Listed[]) {
    const { text, headers } = await client.ok('GET', apiUri)
    const digest = createHash('sha512').update(text).digest('base64')
    expect(headers.get('whole-content-sha512'), apiUri).to.equal(digest)
    files.push({ fnameOnDisk, location, text })
  }
  return files
}

interface Listed {
  readonly fnameOnDisk: string
  readonly location: string
  readonly apiUri: string
}
