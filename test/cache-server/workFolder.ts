import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that every user may read: the cache server gives up root's rights before it reads anything. */
export async function workFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `edgewright-${name}-`))
  await chmod(folder, 0o755)
  return folder
}

/** Does some work in such a folder, which is gone afterwards. */
export async function inWorkFolder<R>(name: string, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await workFolder(name)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
