import { quoted } from '../../config/errors.js'
import type { FetchJson, Upstream } from '../upstream/fetchJson.js'
import { UpstreamFault } from '../upstream/fetchJson.js'
import { member } from '../upstream/shape.js'
import { mostPieces } from './seriesQuery.js'

/**
 * Questions to a store of time series. A statement is text of ours alone; whatever clients or operators wrote is a
 * value bound to a `$name` in it, which the store never reads as a part of the question.
 */
export interface InfluxQuery {
  readonly database: string
  readonly statements: readonly string[]
  readonly values?: Readonly<Record<string, string>>
}

/** A series as the store gives it. Times are milliseconds since the epoch. */
export interface Table {
  readonly name: string
  readonly tags: Readonly<Record<string, string>>
  readonly rows: readonly (readonly [at: number, ...values: (number | null)[]])[]
}

/** The tables of every statement, in order. Rejects with UpstreamFault, never with anything else. */
export type AskInflux = (server: Upstream, query: InfluxQuery) => Promise<readonly (readonly Table[])[]>

export const createAskInflux =
  (fetchJson: FetchJson): AskInflux =>
  async (server, query) =>
    readTables(await fetchJson(server, pathOf(query)), query.statements.length)

function pathOf({ database, statements, values = {} }: InfluxQuery): string {
  const parameters = { db: database, q: statements.join('; '), epoch: 'ms', params: JSON.stringify(values) }
  return `/query?${new URLSearchParams(parameters)}`
}

function readTables(document: unknown, expected: number): Table[][] {
  refuseError(document)
  const results = member(document, 'results')
  if (!Array.isArray(results) || results.length !== expected) throw new UpstreamFault('sent no results of a query')
  return results.map((result) => {
    refuseError(result)
    const series = member(result, 'series') ?? []
    if (!Array.isArray(series)) throw new UpstreamFault('sent results without a list of series')
    return series.map(readTable)
  })
}

/** A query that the store cannot carry out, such as one of a database that is not there. */
function refuseError(answer: unknown): void {
  const error = member(answer, 'error')
  if (error !== undefined) throw new UpstreamFault(`refused a query: ${quoted(asText(error))}`)
}

function readTable(sent: unknown): Table {
  const rows = member(sent, 'values')
  if (!Array.isArray(rows)) throw new UpstreamFault('sent a series without values')
  if (rows.length > mostRows) throw new UpstreamFault(`sent more than ${mostRows} values of a series`)
  const tags = Object.entries(member(sent, 'tags') ?? {}).map(([name, value]) => [name, asText(value)] as const)
  return { name: asText(member(sent, 'name')), tags: Object.fromEntries(tags), rows: rows.map(readRow) }
}

/** The pieces that one may ask for, and those that its ends cut. */
const mostRows = mostPieces + 2

/** What is no text says nothing: to make one of it may take for ever, or fail. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

function readRow(row: unknown): Table['rows'][number] {
  const [at, ...values] = Array.isArray(row) ? row : []
  if (!Number.isSafeInteger(at) || Math.abs(at) > lastMoment) throw new UpstreamFault('sent a value without its time')
  return [at, ...values.map((value) => (Number.isFinite(value) ? value : null))]
}

/** Later, and as long before 1970, there are no dates. */
const lastMoment = 8.64e15
