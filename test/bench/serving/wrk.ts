import { runLoad } from './processes.js'

export interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
}

export interface LoadResult {
  readonly perSecond: number
  readonly requests: number
  /** Milliseconds. */
  readonly p99: number
}

/** 16 connections that ask again as soon as they have their answer. Answers of 400 and more fail the run. */
export async function load({ url, headers, seconds }: Load): Promise<LoadResult> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const text = await runLoad('wrk', ['-t1', '-c16', `-d${seconds}s`, '--latency', ...given, url])
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(text)
  if (refused) throw new Error(`${url}: ${refused[1]} answers were errors`)
  const [, amount = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    requests: Number(/(\d+) requests in/.exec(text)?.[1]),
    p99: Number(amount) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
  }
}
