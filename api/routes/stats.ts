import { Type } from '@sinclair/typebox'
import { parseMoment, shownTime, zonedTime } from '../config/times.js'
import { recordBody, refused } from '../operations/bodies.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import { listQuery, numberQuery, textQuery } from '../operations/queryParameters.js'
import { kindOf } from '../records/kinds/index.js'
import { tenantOfSummary } from '../records/kinds/statsSummaries.js'
import { saysNothing } from '../records/nothing.js'
import type { Data } from '../schema/data.js'
import { moment } from '../schema/fields.js'
import { reachesTenant } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'
import { sortAndPage } from './crud/lists.js'
import { success } from './crud/routes.js'

const reported = recordBody(kindOf('hwinfo'), 'create')
const added = recordBody(kindOf('statsSummaries'), 'create', {
  given: ['summaryTime'],
  more: { summaryTime: moment({ description: 'Default now.' }) },
})

/** What machines and the statistics daemon measured (beyond.md §2.3, §2.6). */
export const statsEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/hwinfo',
    role: 'any',
    reach: 'shared',
    summary: 'What machines reported about their hardware; at most 1,000 unless asked otherwise',
    query: {
      ...listQuery,
      id: numberQuery('Only those with this id.'),
      serverId: numberQuery('Only those with this server.'),
      serverHostName: textQuery('Only those with this host name.'),
      description: textQuery('Only those with this description.'),
      val: textQuery('Only those with this value.'),
    },
    response: Type.Array(
      Type.Object({
        id: Type.Integer(),
        serverId: Type.Integer(),
        serverHostName: Type.String(),
        description: Type.String(),
        val: Type.String(),
        lastUpdated: Type.String(),
      }),
    ),
    read: ({ query, version }, data) => {
      const limit = query.limit || '1000'
      const rows = data.all('hwinfo').map((one) => ({
        id: one.id,
        serverId: one.serverId,
        serverHostName: data.get('servers', one.serverId)!.hostName,
        description: one.description,
        val: one.val,
        lastUpdated: timeOf(version)(one.lastUpdated),
      }))
      const wanted = narrowed(rows, query, ['id', 'serverId', 'serverHostName', 'description', 'val'])
      const response = sortAndPage(wanted, { ...query, limit }, 'serverHostName').map((row) =>
        version === '1.3' ? row : { ...row, id: String(row.id), serverId: String(row.serverId) },
      )
      return { response, extra: { limit: Number(limit) } }
    },
  },
  {
    method: 'POST',
    path: '/hwinfo',
    role: 'agent',
    reach: 'shared',
    summary: 'Report a part of the hardware of a server; the newest report counts',
    body: reported,
    response: Type.Object({ id: Type.Integer() }),
    write: ({ body }, transaction) => {
      const values = reported.fields(reported.read(body), transaction.data)
      const { serverId, description } = values
      const known = transaction.data.by('hwinfo', 'serverId', serverId!).find((one) => one.description === description)
      const made = known ? transaction.tryUpdate('hwinfo', known.id, values) : transaction.tryCreate('hwinfo', values)
      if (!made.row) throw refused(kindOf('hwinfo'), body, made.faults)
      const host = transaction.data.get('servers', serverId!)!.hostName
      transaction.log(`Hardware of ${host} reported: ${description}`, 'OPER')
      return { response: { id: made.row.id }, alerts: [success('Hardware information was updated.')] }
    },
  },
  {
    method: 'GET',
    path: '/stats_summary',
    role: 'any',
    reach: 'tenants',
    summary: 'Daily statistics, or with lastSummaryDate the time of the newest',
    query: {
      ...listQuery,
      cdnName: textQuery('Only those with this CDN.'),
      deliveryServiceName: textQuery('Only those with this delivery service.'),
      statName: textQuery('Only those with this name.'),
      lastSummaryDate: textQuery('Only the time of the newest, whatever is given but 0 and false.'),
    },
    response: Type.Union([
      Type.Array(
        Type.Object({
          cdnName: Type.String(),
          deliveryServiceName: Type.String(),
          statName: Type.String(),
          statValue: Type.Number(),
          summaryTime: Type.String(),
          statDate: Type.String(),
        }),
      ),
      Type.Object({ summaryTime: Type.Union([Type.String(), Type.Null()]) }),
    ]),
    read: ({ query: sent, version, user }, data) => {
      const { asksNewest, ...query } = summaryQuery(sent)
      const reached = data
        .all('statsSummaries')
        .filter((summary) => reachesTenant(data, user, tenantOfSummary(summary, data)))
      const rows = narrowed(reached, query, ['cdnName', 'deliveryServiceName', 'statName'])
      if (asksNewest) {
        const newest = rows.reduce<string | null>(
          (at, row) => (at && at > row.summaryTime ? at : row.summaryTime),
          null,
        )
        return { response: { summaryTime: newest === null ? null : zonedTime(newest) } }
      }
      const time = timeOf(version)
      return { response: sortAndPage(rows, query, 'summaryTime').map((row) => summary(row, version, time)) }
    },
  },
  {
    method: 'POST',
    path: '/stats_summary/create',
    role: 'checker',
    reach: 'shared',
    summary: 'Add a daily statistic, or put it in the place of the one there is of the day',
    body: added,
    response: Type.String(),
    write: ({ body }, transaction) => {
      const given = added.read(body)
      const stated = { ...given, summaryTime: saysNothing(given.summaryTime) ? transaction.time : given.summaryTime }
      const values = { ...added.fields(stated, transaction.data), decimals: decimalsOf(given.statValue) }
      const known = sameDay(values, transaction.data)
      const made = known
        ? transaction.tryUpdate('statsSummaries', known.id, values)
        : transaction.tryCreate('statsSummaries', values)
      if (!made.row) throw refused(kindOf('statsSummaries'), body, made.faults)
      transaction.log(
        `Stats summary ${made.row.statName} of ${made.row.cdnName} / ${made.row.deliveryServiceName} added`,
      )
      return { response: 'Successfully added stats summary record' }
    },
  },
]

/**
 * The statistics daemon asks `?lastSummaryDate=true?statName=…`, with a second question mark, for when it last wrote;
 * it cannot read a time without a zone, and would write the day again at every interval.
 */
function summaryQuery(sent: RequestInput['query']): RequestInput['query'] & { readonly asksNewest: boolean } {
  const { lastSummaryDate = '', ...query } = sent
  const at = lastSummaryDate.indexOf('?')
  const given = at < 0 ? lastSummaryDate : lastSummaryDate.slice(0, at)
  const behind = new URLSearchParams(at < 0 ? '' : lastSummaryDate.slice(at + 1))
  const more = ['cdnName', 'deliveryServiceName', 'statName'].flatMap((name) => {
    const value = behind.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.assign(Object.fromEntries(more), query, { asksNewest: !['', '0', 'false'].includes(given) })
}

/** What there is of the same day: two daemons, or one that starts again, tell of it more than once. */
function sameDay(values: Partial<Records['statsSummaries']>, data: Data): Records['statsSummaries'] | undefined {
  const { cdnName = 'all', deliveryServiceName = 'all', statName, statDate = '' } = values
  const iso = parseMoment(statDate) ?? statDate
  return data
    .all('statsSummaries')
    .find(
      (one) =>
        one.statName === statName &&
        one.cdnName === cdnName &&
        one.deliveryServiceName === deliveryServiceName &&
        one.statDate.slice(0, 10) === iso.slice(0, 10),
    )
}

/** The daemon writes its values as text, with two decimals. */
const decimalsOf = (value: unknown): number => (/^-?\d+\.(\d{1,15})$/.exec(String(value ?? ''))?.[1] ?? '').length

/** A value as it was written: 54.00 is not 54. */
function written({ statValue, decimals }: Records['statsSummaries']): string {
  const own = decimalsOf(statValue)
  return own < decimals ? statValue.toFixed(decimals) : String(statValue)
}

const timeOf = (version: RequestInput['version']) => (version === '1.3' ? zonedTime : shownTime)

function summary(row: Records['statsSummaries'], version: RequestInput['version'], time: (iso: string) => string) {
  const { cdnName, deliveryServiceName, statName, summaryTime, statDate } = row
  return {
    cdnName,
    deliveryServiceName,
    statName,
    statValue: version === '1.3' ? row.statValue : written(row),
    summaryTime: time(summaryTime),
    statDate: time(statDate).slice(0, 10),
  }
}

function narrowed<R extends object>(
  rows: readonly R[],
  query: RequestInput['query'],
  names: readonly (keyof R & string)[],
): R[] {
  return rows.filter((row) => names.every((name) => !query[name] || String(row[name]) === query[name]))
}
