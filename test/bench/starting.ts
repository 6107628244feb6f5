import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { importInto } from '../../api/cli/transfer.js'
import { readSettings } from '../../api/config/settings.js'
import { openService } from '../../api/server.js'
import { fleetDocument } from '../fleet.js'
import { lists } from './lists.js'
import type { Report } from './report.js'
import { benchPassword as password } from './serving/password.js'
import { median, timedAsync } from './timing.js'

/** 5,000 servers, 3,000 services, 500,000 assignments: from the start of a process until it answers that it is ready. */
export async function starting(report: Report): Promise<void> {
  const section = report.section('starting', '5,000 servers, 3,000 services, 500,000 assignments, embedded store')
  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-bench-'))
  try {
    section.show('import of all of it', (await timedAsync(() => fill(dataDir))) / 1000, 's')
    const times: number[] = []
    for (let round = 0; round < 3; round++) times.push(await startOnce(dataDir))
    section.goal('start of the process to ready', median(times) / 1000, 's', '<=', 2)
    await lists(dataDir, section)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(dataDir: string): Promise<void> {
  const settings = readSettings({ DATA_DIR: dataDir, ADMIN_PASSWORD: password, LOG_LEVEL: 'silent', WORKERS: '1' })
  const service = await openService(settings)
  await importInto(service, fleetDocument({ size: 'XXL', share: 0.037 }))
  await service.close()
}

/** Milliseconds until `serve` has written that it listens and `/readyz` answers 200. */
async function startOnce(dataDir: string): Promise<number> {
  const start = performance.now()
  const main = fileURLToPath(new URL('../../api/main.js', import.meta.url))
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: password, WORKERS: '2' }
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string }
    if (url === undefined) continue
    const { status } = await fetch(`${url}/readyz`)
    const time = performance.now() - start
    child.kill('SIGTERM')
    await once(child, 'exit')
    if (status !== 200) throw new Error(`/readyz answered ${status}`)
    return time
  }
  throw new Error('the service ended before it listened')
}
