import { Type } from '@sinclair/typebox'
import { numberQuery } from '../operations/queryParameters.js'
import type { Records } from '../schema/records.js'
import { list, read } from './crud/readRoutes.js'
import type { JoinedRow } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { currentUserJobs, jobCreation, jobRemoval } from './jobRoutes.js'

export default defineResource('jobs', {
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
        userId: {
          is: numberQuery('Only those that this user made.', { min: 1 }),
          rows: (rows, id, data) => {
            const user = data.get('users', Number(id))
            return rows.filter((row) => user !== undefined && row.createdBy === user.username)
          },
        },
        keyword: 'keyword',
      },
      sort: (rows) => rows.toSorted((a, b) => ((a.startTime as string) < (b.startTime as string) ? 1 : -1)),
    }),
    read('/jobs/:id', { role: 'oper' }),
    currentUserJobs,
    jobCreation,
    jobRemoval,
  ],
})

function shape(
  { id, assetUrl, deliveryService, keyword, parameters, startTime, createdBy }: JoinedRow<Records['jobs']>,
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
