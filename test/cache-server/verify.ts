import { execFile } from 'node:child_process'
import type { CacheServer } from './cacheServer.js'
import { diagnosticsToStderr } from './diagnostics.js'
import type { Explained, Problem } from './problems.js'
import { problemsIn } from './problems.js'

/**
 * The cache server's own check of a laid out folder: remap.config, plugin.config and what they name, certificates.
 * It gives up at the first bad remap rule. Some errors leave the exit code 0, hence the printed problems count too.
 */
export function verify(
  server: CacheServer,
  folder: string,
  explained: readonly Explained[] = [],
): Promise<{ exitCode: number; problems: Problem[] }> {
  const environment = {
    ...process.env,
    ...diagnosticsToStderr,
    PROXY_CONFIG_PLUGIN_PLUGIN_DIR: server.plugins,
    // The packaged 30,000 is more than a test machine allows, which it would complain of.
    PROXY_CONFIG_NET_CONNECTIONS_THROTTLE: '1000',
    PROXY_CONFIG_SSL_SERVER_CERT_PATH: folder,
    PROXY_CONFIG_SSL_SERVER_PRIVATE_KEY_PATH: folder,
  }
  return new Promise((resolve) => {
    execFile(
      server.binary,
      ['-C', 'verify_config', '-D', folder],
      { env: environment, timeout: 30_000 },
      (error, out, err) => {
        const exitCode = error ? (typeof error.code === 'number' ? error.code : 128) : 0
        resolve({ exitCode, problems: problemsIn(`${out}\n${err}`, explained) })
      },
    )
  })
}
