interface At {
  readonly url: string
  readonly cookie: string
}

/**
 * Edits a delivery service 20 times a second while something else runs, each time another value, so that every file
 * that carries it is stale.
 */
export async function writesWhile<T>(
  { url, cookie }: At,
  run: () => Promise<T>,
): Promise<{ result: T; writes: number }> {
  const headers = { cookie, 'content-type': 'application/json' }
  const path = `${url}/api/1.3/deliveryservices/${await assigned({ url, cookie })}`
  const record = await json(await fetch(path, { headers }))
  let writes = 0
  let going = true
  const writing = (async () => {
    const start = performance.now()
    while (going) {
      const body = JSON.stringify({ ...record, dscp: 10 + (writes % 40) })
      await json(await fetch(path, { method: 'PUT', headers, body }))
      writes += 1
      const wait = start + writes * 50 - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    }
  })()
  try {
    return { result: await run(), writes }
  } finally {
    going = false
    await writing
  }
}

/** A service that the first edge has. */
async function assigned({ url, cookie }: At): Promise<number> {
  const server = await json(await fetch(`${url}/api/1.3/servers?hostName=edge-0000`, { headers: { cookie } }))
  const all = await fetch(`${url}/api/1.3/servers/${server.id}/deliveryservices`, { headers: { cookie } })
  return (await json(all)).id as number
}

/** The first record of an answer. */
async function json(answer: Response): Promise<Record<string, unknown>> {
  const { response, alerts } = (await answer.json()) as { response: unknown; alerts?: unknown }
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${JSON.stringify(alerts)}`)
  return [response].flat()[0] as Record<string, unknown>
}
