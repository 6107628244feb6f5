import { importInto } from '../api/cli/transfer.js'
import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import type { BuildOptions, TestServer } from './build.js'
import { buildServer, canBeCopied } from './build.js'

/** A service that holds the sample CDN, keys included. */
export async function sampleServer(options: BuildOptions = {}): Promise<TestServer> {
  if (canBeCopied(options)) return buildServer(options, 'sample')
  const server = await buildServer(options)
  await importInto(server.service, sampleCdn)
  await makeSampleKeys(server.service.services)
  return server
}
