import { randomUUID } from 'node:crypto'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importInto } from '../../api/cli/transfer.js'
import { readSettings } from '../../api/config/settings.js'
import { system } from '../../api/schema/privileges.js'
import type { Service } from '../../api/server.js'
import { openService } from '../../api/server.js'
import { fleetDocument } from '../fleet.js'
import type { Report, Section } from './report.js'
import { median, ratio, timed, timedAsync } from './timing.js'

/** What it costs to make writes durable, and to take in a whole fleet. */
export async function writing(report: Report): Promise<void> {
  const section = report.section('writing', 'embedded store on the disk of the temporary folder')
  const folder = mkdtempSync(join(tmpdir(), 'edgewright-bench-'))
  const settings = readSettings({
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: 'a-Password-of-benches',
    LOG_LEVEL: 'silent',
    WORKERS: '1',
  })
  const service = await openService(settings)
  try {
    await singleWrites(service, folder, section)
    const document = fleetDocument({ size: 'L' })
    const records = Object.values(document).reduce((sum, list) => sum + list.length, 0)
    const seconds = (await timedAsync(() => importInto(service, document))) / 1000
    section.goal('import of fleet L in one call', seconds, 's', '<=', 10, `${records.toLocaleString('en')} records`)
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function singleWrites(service: Service, folder: string, section: Section): Promise<void> {
  const file = openSync(join(folder, 'raw'), 'a')
  const bytes = Buffer.alloc(1000, 'x')
  const raw: number[] = []
  const single: number[] = []
  for (let round = 0; round < 60; round++) {
    const sync = timed(() => {
      writeSync(file, bytes)
      fdatasyncSync(file)
    })
    const write = await timedAsync(() => createDivision(service, `single ${round}`))
    if (round < 10) continue
    raw.push(sync)
    single.push(write)
  }
  closeSync(file)
  section.show('yardstick: append 1 KB to a file and fdatasync', median(raw), 'ms')
  section.show('a durable write, rules and log included', median(single), 'ms')
  section.goal('a durable write', ratio(single, raw), '× fdatasync', '<=', 3)

  const together = await timedAsync(() =>
    Promise.all(Array.from({ length: 200 }, (_, index) => createDivision(service, `together ${index}`))),
  )
  section.show('200 writers at once, all durable', together, 'ms')
  section.goal('  as a part of 200 writes one by one', together / (200 * median(single)), '', '<=', 0.5)
}

const createDivision = ({ services }: Service, name: string): Promise<unknown> =>
  services.committer.write({ user: system, requestId: randomUUID() }, (transaction) =>
    transaction.create('divisions', { name }),
  )
