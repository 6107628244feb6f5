import { Type } from '@sinclair/typebox'
import { list, read } from '../../routes/crud/routes.js'
import { currentUserJobs, jobCreation } from '../../routes/jobRoutes.js'
import { flag, moment, optional, ref, text } from '../../schema/fields.js'
import { defineResource, type JoinedRow } from '../defineKind.js'

export { expireJobs } from './jobExpiry.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  /** Origin and path pattern: what is revalidated. */
  assetUrl: text({ max: 4096, pattern: '^\\S+$' }),
  keyword: text({ fallback: 'PURGE' }),
  /** `TTL:<hours>h` */
  parameters: text({ pattern: '^TTL:[0-9]{1,6}h$' }),
  startTime: moment(),
  /** Cleared once the rule has run out. */
  active: flag({ fallback: true }),
  enteredTime: optional(moment()),
  createdBy: optional(text()),
}

export default defineResource({
  kind: 'jobs',
  label: 'job',
  key: null,
  fields,
  tenant: (job, data) => data.get('deliveryServices', job.deliveryServiceId)?.tenantId ?? null,
  shown: {
    deliveryService: Type.String(),
    deliveryServiceId: null,
    active: null,
    enteredTime: null,
    lastUpdated: null,
  },
  present: { '1.1': (row) => shape(row, false), '1.3': (row) => shape(row, true) },
  routes: [
    list('/jobs', {
      role: 'oper',
      filters: {
        dsId: 'deliveryServiceId',
        deliveryService: (rows, xmlId, data) => {
          const [id] = data.ids('deliveryServices', 'xmlId', xmlId)
          return rows.filter((row) => row.deliveryServiceId === id)
        },
        userId: (rows, id, data) => {
          const user = data.get('users', Number(id))
          return rows.filter((row) => user !== undefined && row.createdBy === user.username)
        },
        keyword: 'keyword',
      },
      sort: (rows) => rows.toSorted((a, b) => ((a.startTime as string) < (b.startTime as string) ? 1 : -1)),
    }),
    read('/jobs/:id', { role: 'oper' }),
    currentUserJobs,
    jobCreation,
  ],
})

function shape(
  { id, assetUrl, deliveryService, keyword, parameters, startTime, createdBy }: JoinedRow<typeof fields>,
  native: boolean,
) {
  const start = startTime.slice(0, 19).replace('T', ' ')
  return {
    id: native ? id : String(id),
    assetUrl,
    deliveryService,
    keyword,
    parameters,
    startTime: native ? `${start}+00` : start,
    createdBy,
  }
}
