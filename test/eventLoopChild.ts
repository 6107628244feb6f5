import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isLong, turn } from '../api/flow/turns.js'
import { buildServer } from './build.js'
import { watchHeld } from './held.js'

/**
 * A service in a process of its own, whose event loop nobody else holds: `eventLoopChild.ts DATA_DIR ENV`, with settings in JSON. Says
 * `{url, cookie}` on one line of its standard output, then answers each line of its standard input: `work` does two
 * seconds of nothing but small steps, as long work may, `reset` begins to
 * measure, `report` says the longest delay in ms since then as `{longest}` and how long of one it was at work as `{held}`
 * (held.ts), `end` closes the service.
 */
const [dataDir = '', env = '{}'] = process.argv.slice(2)
const app = await buildServer({ dataDir, env: JSON.parse(env) })
const delay = monitorEventLoopDelay({ resolution: 5 })
const held = watchHeld()
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)

process.stdin.setEncoding('utf8').on('data', async (text: string) => {
  for (const word of text.split('\n')) {
    if (word === 'work') {
      for (const end = performance.now() + 2000; performance.now() < end; ) if (isLong()) await turn()
      say({})
    } else if (word === 'reset') {
      delay.reset()
      held.reset()
      delay.enable()
      say({})
    } else if (word === 'report') {
      delay.disable()
      say({ longest: delay.max / 1e6, held: held.longest() })
    } else if (word === 'end') {
      await app.close()
      process.exit(0)
    }
  }
})
say({ url: app.url, cookie: app.cookie() })
