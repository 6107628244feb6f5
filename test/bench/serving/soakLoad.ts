import { Agent, type IncomingMessage, request } from 'node:http'
import type { ServiceReady } from './service.js'

export interface Load {
  readonly counts: { writes: number; polls: number; unchanged: number; failed: number; fault: string }
  stop(): Promise<void>
}

interface Answered {
  readonly status: number
  readonly etag: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  readonly body: any
}

/**
 * Writes and polls at fixed rates until it is stopped. Caches ask for their listing and files with the tag they have,
 * routers and monitors for their documents, people for lists under URLs that nobody asks for again; what is written
 * are services, servers and parameters, and divisions that come and go.
 */
export async function loadOn(
  { lane, cookie }: ServiceReady,
  { writesPerSecond, pollsPerSecond }: { writesPerSecond: number; pollsPerSecond: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const counts = { writes: 0, polls: 0, unchanged: 0, failed: 0, fault: '' }

  const ask = (
    method: string,
    path: string,
    { body, etag }: { body?: object | undefined; etag?: string | undefined } = {},
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body)
      const headers = {
        cookie,
        'accept-encoding': body || path.includes('?') ? 'identity' : 'gzip',
        ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
        ...(etag ? { 'if-none-match': etag } : {}),
      }
      const sent = request(`${lane}${path}`, { method, agent, headers }, (answer: IncomingMessage) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const isJson =
            answer.headers['content-encoding'] === undefined && /json/.test(answer.headers['content-type'] ?? '')
          const body = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
          resolve({ status: answer.statusCode!, etag: answer.headers.etag, body })
        })
      })
      // A connection that was idle for long may be closed by the service while it is used again: asked anew, as clients do.
      const isClosed = (error: NodeJS.ErrnoException) => sent.reusedSocket && error.code === 'ECONNRESET'
      sent.on('error', (error) => (isClosed(error) ? resolve(ask(method, path, { body, etag })) : reject(error)))
      sent.end(text)
    })
  const records = async (path: string) => (await ask('GET', `/api/1.3/${path}?limit=1000`)).body.response

  const [servers, services, parameters] = await Promise.all(['servers', 'deliveryservices', 'parameters'].map(records))
  const cdns = await records('cdns')
  const caches = servers.filter(({ type }: { type: string }) => /^(EDGE|MID)/.test(type))
  const paths: string[] = cdns.flatMap(({ name }: { name: string }) =>
    name === 'ALL'
      ? []
      : ['snapshot/new', 'configs/monitoring', 'configs/routing'].map((one) => `/api/1.3/cdns/${name}/${one}`),
  )
  for (const { id } of caches) {
    const listing = `/api/1.3/servers/${id}/configfiles/cachesw`
    const { body } = await ask('GET', `${listing}?plain`)
    paths.push(listing, ...body.configFiles.flatMap(({ apiUri }: { apiUri?: string }) => apiUri ?? []))
  }

  const tags = new Map<string, string>()
  const poll = async (at: number): Promise<void> => {
    if (at % 20 === 0) {
      const { status } = await ask('GET', `/api/1.3/servers?limit=5&offset=${at}`)
      if (status !== 200) fail(`a list answered ${status}`)
    } else {
      const path = paths[(at * 7) % paths.length]!
      const { status, etag } = await ask('GET', path, tags.has(path) ? { etag: tags.get(path)! } : {})
      if (status === 304) counts.unchanged += 1
      else if (status === 200 && etag) tags.set(path, etag)
      else if (status !== 404) fail(`${path} answered ${status}`)
    }
    counts.polls += 1
  }

  const divisions: number[] = []
  const write = async (at: number): Promise<void> => {
    const put = async (path: string, all: { id: number }[], values: object) => {
      const record = all[(at >> 2) % all.length]!
      return ask('PUT', `/api/1.3/${path}/${record.id}`, { body: { ...record, ...values } })
    }
    const turn = at % 4
    const { status, body } =
      turn === 0
        ? await put('deliveryservices', services, { dscp: 10 + (at % 50) })
        : turn === 1
          ? await put('servers', servers, { rack: `rack ${at}`, interfaceName: `bond${at % 100}` })
          : turn === 2
            ? await put(
                'parameters',
                parameters.filter(({ value }: { value: string }) => /^INT \d+$/.test(value)),
                { value: `INT ${at}` },
              )
            : divisions.length > 20
              ? await ask('DELETE', `/api/1.3/divisions/${divisions.shift()}`)
              : await ask('POST', '/api/1.3/divisions', { body: { name: `division ${at}` } })
    if (turn === 3 && body.response?.id) divisions.push(body.response.id)
    if (status !== 200) fail(`a write of turn ${turn} answered ${status}: ${JSON.stringify(body)}`)
    counts.writes += 1
  }

  const fail = (fault: string): void => {
    counts.failed += 1
    counts.fault ||= fault
  }
  let going = true
  const atRate = async (perSecond: number, most: number, run: (at: number) => Promise<void>): Promise<void> => {
    const start = performance.now()
    const open = new Set<Promise<void>>()
    for (let sent = 0; going; sent++) {
      const early = start + (sent * 1000) / perSecond - performance.now()
      if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
      if (open.size >= most) await Promise.race(open)
      const one: Promise<void> = run(sent)
        .catch((error: Error) => fail(error.message))
        .finally(() => open.delete(one))
      open.add(one)
    }
    await Promise.all(open)
  }
  const running = Promise.all([atRate(writesPerSecond, 1, write), atRate(pollsPerSecond, 60, poll)])
  return {
    counts,
    stop: async () => {
      going = false
      await running
      agent.destroy()
    },
  }
}
