import { Type } from '@sinclair/typebox'
import type { Fault } from '../config/errors.js'
import { badRequest, forbidden, invalid } from '../config/errors.js'
import { shownTime, zonedTime } from '../config/times.js'
import { dangling } from '../journal/references.js'
import type { Transaction } from '../journal/transaction.js'
import type { Endpoint } from '../operations/endpoint.js'
import { fieldsBody } from '../operations/fieldsBody.js'
import { listQuery, numberQuery, textQuery } from '../operations/queryParameters.js'
import { queueInSteps } from '../operations/updates.js'
import type { Data } from '../schema/data.js'
import { asId } from '../schema/data.js'
import { integer, moment, ref, text } from '../schema/fields.js'
import { levels, mustReachTenant, reachesTenant } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'
import { byPathId } from './crud/ids.js'
import { sortAndPage } from './crud/lists.js'
import { success } from './crud/routes.js'

const path = '/user/current/jobs'
const jobShown = Type.Object({
  id: Type.Integer(),
  keyword: Type.String(),
  objectName: Type.Null(),
  assetUrl: Type.String(),
  assetType: Type.String(),
  status: Type.String(),
  dsId: Type.Integer(),
  dsXmlId: Type.String(),
  username: Type.String(),
  parameters: Type.String(),
  enteredTime: Type.String(),
  objectType: Type.Null(),
  agent: Type.String(),
  startTime: Type.String(),
})
const twoDays = 48 * 3_600_000

/** The rules the caller made; the keyword is PURGE unless another is asked for. */
export function currentUserJobs(): Endpoint {
  return {
    method: 'GET',
    path,
    role: 'any',
    reach: 'own',
    summary: 'Content invalidation rules of the caller',
    response: Type.Array(jobShown),
    varies: 'caller',
    query: {
      ...listQuery,
      keyword: textQuery('Only rules with this keyword; default PURGE.'),
      dsId: numberQuery('Only those of this delivery service.', { min: 1 }),
    },
    read: ({ user, query, version }, data) => {
      const { keyword = 'PURGE', dsId } = query
      const own = data
        .all('jobs')
        .filter((job) => job.createdBy === user.username && job.keyword === keyword)
        .filter((job) => reachesTenant(data, user, data.get('deliveryServices', job.deliveryServiceId)!.tenantId))
        .filter((job) => !dsId || job.deliveryServiceId === asId(dsId))
        .toSorted((a, b) => (a.startTime < b.startTime ? 1 : -1))
      return { response: sortAndPage(own, query, null).map((job) => shape(job, data, version === '1.3')) }
    },
  }
}

function shape(job: Records['jobs'], data: Data, native: boolean) {
  const time = native ? zonedTime : shownTime
  const number = (id: number) => (native ? id : String(id))
  return {
    id: number(job.id),
    keyword: job.keyword,
    objectName: null,
    assetUrl: job.assetUrl,
    assetType: 'file',
    status: 'PENDING',
    dsId: number(job.deliveryServiceId),
    dsXmlId: data.get('deliveryServices', job.deliveryServiceId)!.xmlId,
    username: job.createdBy,
    parameters: job.parameters,
    enteredTime: time(job.enteredTime ?? job.lastUpdated),
    objectType: null,
    agent: 'dummy',
    startTime: time(job.startTime),
  }
}

/** What clients ask for by a rule; the host is that of the delivery service's origin. */
const asked = fieldsBody({
  dsId: ref('deliveryServices', { must: 'must be an id' }),
  regex: text({
    max: 2048,
    pattern: '^[!-~]+$',
    form: 'printable characters without spaces',
    format: 'regex',
    exact: true,
    description: 'Paths below the origin, as a regular expression.',
    must: 'must be a regular expression of printable characters, without spaces, at most 2048',
  }),
  startTime: moment({
    description: 'At most two days ago.',
    must: 'has an invalidate date format, should be in the form of YYYY-MM-DD HH:MM:SS',
  }),
  ttl: integer({
    min: 1,
    description: 'Hours, at most maxRevalDurationDays.',
    must: 'should be a whole number of hours, at least 1',
  }),
})

/** Makes a rule, and has the caches of the CDN fetch it. */
export function jobCreation(): Endpoint {
  return {
    method: 'POST',
    path,
    role: 'any',
    reach: 'tenants',
    summary: 'Have content of a delivery service revalidated',
    body: asked,
    response: jobShown,
    *write(input, transaction) {
      const { dsId, regex, startTime, ttl } = asked.read(input.body, (found) => untimely(found, transaction))
      const service = transaction.data.get('deliveryServices', dsId)
      if (!service) throw invalid([{ ...dangling('dsId', 'deliveryServices', dsId), status: 404 }])
      mustReachTenant(transaction.data, input.user, service.tenantId)
      if (service.orgServerFqdn === null) throw badRequest(`The delivery service ${service.xmlId} has no origin.`)
      const assetUrl = `${service.orgServerFqdn}/${regex.replace(/^(\\?\/)+/, '')}`
      const job = transaction.create('jobs', {
        deliveryServiceId: dsId,
        assetUrl,
        keyword: 'PURGE',
        parameters: `TTL:${ttl}h`,
        startTime,
        active: true,
        enteredTime: transaction.time,
        createdBy: transaction.user.username,
      })
      const text = `Invalidate content request submitted for ${service.xmlId} [ ${assetUrl} - TTL:${ttl}h ]`
      transaction.log(`${text}, queued for ${yield* revalidate(service.cdnId, transaction)} servers`)
      return { response: shape(job, transaction.data, input.version === '1.3'), alerts: [success(text)] }
    },
  }
}

/** Takes a rule back, and has the caches of the CDN fetch what is left. */
export function jobRemoval(): Endpoint {
  return {
    method: 'DELETE',
    path: '/jobs/:id',
    role: 'any',
    reach: 'tenants',
    summary: 'Withdraw a content invalidation rule: whoever made it, and operators',
    body: 'none',
    *write(input, transaction) {
      const { data } = transaction
      const job = byPathId(data, 'jobs', 'job', input)
      const service = data.get('deliveryServices', job.deliveryServiceId)!
      mustReachTenant(data, input.user, service.tenantId)
      if (job.createdBy !== input.user.username && input.user.privLevel < levels.oper)
        throw forbidden('Forbidden. Only whoever made the rule, and operators, withdraw it.')
      const text = `Content invalidation request for ${service.xmlId} withdrawn [ ${job.assetUrl} - ${job.parameters} ]`
      yield* transaction.removeInSteps('jobs', job.id)
      // One that has run out is in no file any more.
      const queued = job.active ? `, queued for ${yield* revalidate(service.cdnId, transaction)} servers` : ''
      transaction.log(`${text}${queued}`)
      return { alerts: [success(text)] }
    },
  }
}

/** Faults of times, which depend on the clock and on how long rules may be kept. */
function untimely({ startTime, ttl }: { startTime?: string; ttl?: number }, { data, time }: Transaction): Fault[] {
  const faults: Fault[] = []
  if (startTime !== undefined && Date.parse(startTime) < Date.parse(time) - twoDays)
    faults.push({ path: 'startTime', text: 'startTime needs to be within two days from now.' })
  const most = longestDays(data) * 24
  if (ttl !== undefined && ttl > most) faults.push({ path: 'ttl', text: `ttl should be between 1 and ${most}` })
  return faults
}

function longestDays(data: Data): number {
  const [limit] = data.by('parameters', 'nameFile', 'maxRevalDurationDays/regex_revalidate.config')
  return limit && /^\d{1,5}$/.test(limit.value) ? Number(limit.value) : 90
}

/** For servers whose profile lists the rules' file, unless they are out of service (beyond.md §1.7). Returns how many. */
function* revalidate(cdnId: number, transaction: Transaction): Generator<void, number> {
  const { data } = transaction
  const listing = new Set(
    data.by('parameters', 'nameFile', 'location/regex_revalidate.config').flatMap(({ profiles }) => profiles),
  )
  const out = new Set(['OFFLINE', 'PRE_PROD'].flatMap((name) => data.ids('statuses', 'name', name)))
  const servers = data
    .by('servers', 'cdnId', cdnId)
    .filter(({ statusId, profileId }) => listing.has(profileId) && !out.has(statusId))
  yield* queueInSteps(
    transaction,
    servers.map(({ id }) => id),
    usesRevalPending(data) ? 'revalidation' : 'config',
  )
  return servers.length
}

/** Whether caches fetch invalidation rules apart from other updates. */
export function usesRevalPending(data: Data): boolean {
  const [parameter] = data.by('parameters', 'nameFile', 'use_reval_pending/global')
  return parameter !== undefined && parameter.value !== '0'
}
