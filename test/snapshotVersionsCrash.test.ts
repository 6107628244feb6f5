import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { blobsOf } from '../api/operations/snapshots/frozenVersions.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { childArguments } from './childArguments.js'
import { fleetServer } from './snapshotServer.js'

const child = childArguments('test/snapshotVersionsChild')
const kills = process.env.EDGEWRIGHT_NIGHTLY === '1' ? 30 : 4

/** The newest version a child came to acknowledge before it was killed; 0 if it came to none. */
async function freezeUntilKilled(dataDir: string): Promise<number> {
  const process_ = spawn(process.execPath, [...child, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => process_.once('exit', resolve))
  let acknowledged = 0
  for await (const line of createInterface({ input: process_.stdout })) {
    if (line === 'start') void killSoon(process_)
    else acknowledged = Number(line.split(' ')[1])
  }
  await exited
  expect(process_.signalCode).equal('SIGKILL')
  return acknowledged
}

/** Spread so that some kills hit the first freeze and others one of many. */
async function killSoon(process_: ChildProcess): Promise<void> {
  await delay(20 + Math.random() ** 2 * 1500)
  process_.kill('SIGKILL')
}

/** Every version that is recorded is there in full, and what routers get is one of them. */
async function expectWhole({ service }: TestServer, acknowledged: number): Promise<number> {
  const { data, versions } = service.services
  const recorded = data.all('snapshots')
  for (const version of recorded) {
    for (const name of ['CRConfig', 'monitoring'] as const) await versions.document(version, name)
  }
  const numbers = recorded.map(({ version }) => version)
  const active = data.all('activeSnapshots')[0]
  const newest = Math.max(0, ...numbers)
  expect(newest, 'an acknowledged version is missing').to.be.at.least(acknowledged)
  expect(numbers).eql(numbers.map((_, at) => newest - numbers.length + at + 1))
  if (newest > 0) expect(data.get('snapshots', active!.snapshotId)?.version).equal(newest)
  return newest
}

describe('snapshot versions and kill -9', () => {
  it(`are whole or not there, through ${kills} kills`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-versions-'))
    await (await fleetServer({ dataDir })).close()
    let reached = 0
    for (let kill = 0; kill < kills; kill++) {
      const acknowledged = await freezeUntilKilled(dataDir)
      const server = await buildServer({ dataDir })
      reached = await expectWhole(server, Math.max(reached, acknowledged))
      await server.close()
    }
    expect(reached).greaterThan(0)

    // What the kills left behind is removed once no freeze can be under way with it.
    let clock = 0
    const later = await buildServer({ dataDir, now: () => new Date(Date.now() + clock) })
    for (clock of [0, 2 * 3_600_000]) await later.ok('PUT', '/api/1.3/snapshot/fleet')
    const { data, store } = later.service.services
    const named = new Set(data.all('snapshots').flatMap(blobsOf))
    expect((await store.listBlobs()).filter((key) => !named.has(key))).eql([])
    await later.close()
    rmSync(dataDir, { recursive: true })
  }).timeout(600_000)
})
