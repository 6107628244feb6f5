import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { createFetchBytes } from '../api/operations/upstream/fetchJson.js'
import { fetchDocument } from '../api/operations/upstream/readDocument.js'
import { watchHeld } from './held.js'

const one = (value: number) => [{ value: String(value), time: 1795258270010, span: 1 }]
const metrics = ['kbps', 'tps_total', 'tps_2xx', 'tps_3xx', 'tps_4xx', 'tps_5xx']
const places = ['total', 'location.east', 'location.west', 'type.EDGE']

/** What a monitor of a large CDN says of its services. */
function longDocument(services: number): Uint8Array {
  const service = (at: number) =>
    Object.fromEntries(places.flatMap((place) => metrics.map((metric) => [`${place}.${metric}`, one(at)] as const)))
  const all = Array.from({ length: services }, (_, at) => [`service-${at}`, service(at)] as const)
  return Buffer.from(JSON.stringify({ deliveryService: Object.fromEntries(all) }))
}

/** A monitor in a thread of its own, so that only who asks it is measured. */
const monitor = `
const { createServer } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
createServer((_, response) => response.end(workerData)).listen(0, '127.0.0.1', function () {
  parentPort.postMessage(this.address().port)
})`

describe('a long document of a monitor', () => {
  it('holds nobody up while it is fetched and read', async () => {
    const workerData = longDocument(5000)
    expect(workerData.length).to.be.above(8 * 2 ** 20)
    const played = new Worker(monitor, { eval: true, workerData })
    const [port] = await once(played, 'message')
    const held = watchHeld()
    const fetch = createFetchBytes({ timeout: 30_000, bytes: 32 * 2 ** 20 })
    const upstream = { name: 'long', host: '127.0.0.1', port, proxy: null }
    const { services } = await fetchDocument('DsStats loads', upstream, fetch)
    expect(held.longest()).to.be.below(50)
    expect(services.size).to.equal(5000)
    expect(services.get('service-4999')).to.deep.equal(Array(6).fill(4999))
    await played.terminate()
  })
})
