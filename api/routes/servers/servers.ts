import { Type } from '@sinclair/typebox'
import type { Transaction } from '../../journal/transaction.js'
import { isPending, isRevalPending, queue } from '../../operations/updates.js'
import type { Server } from '../../records/kinds/servers.js'
import { followServer } from '../../records/kinds/serviceLocations.js'
import type { Values } from '../../records/recordBody.js'
import type { Records } from '../../schema/records.js'
import type { ValuesOf } from '../crud/accepting.js'
import { flagIn } from '../crud/ids.js'
import { derive, legacy } from '../crud/present.js'
import { list, read } from '../crud/readRoutes.js'
import type { JoinedRow, Presenting } from '../crud/resource.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'
import { queueServer, queueSome } from './queueUpdateRoutes.js'
import { countRoutes } from './serverCountRoutes.js'
import { detailRoutes } from './serverDetailRoutes.js'
import { filters } from './serverFilters.js'
import { statusRoute } from './serverStatusRoute.js'

const detailsOnly = { legacy: { omit: ['xmppId', 'xmppPasswd'] } }

const pending = { updPending: Type.Boolean({ description: 'true queues an update; false does nothing.' }) }

export default defineResource('servers', {
  shown: { profileDesc: Type.String(), updPending: Type.Boolean(), revalPending: Type.Boolean() },
  present: { '1.1': (row, context) => legacyShape(row, context, true), '1.3': withState },
  writeResponse: (row, context) => legacyShape(row, context, false),
  routes: [
    list('/servers', { role: 'any', filters }),
    ...countRoutes,
    ...detailRoutes,
    read('/servers/:id', { role: 'any' }),
    create<'servers'>('/servers', {
      role: 'oper',
      more: pending,
      prepare: named,
      after: followed,
      text: () => 'Server creation was successful.',
    }),
    update<'servers'>('/servers/:id', {
      role: 'oper',
      more: pending,
      after: followed,
      text: () => 'Server update was successful.',
    }),
    remove('/servers/:id', { role: 'oper' }),
    statusRoute,
    queueServer,
    queueSome,
  ],
})

function withState(row: JoinedRow<Records['servers']>, { data }: Pick<Presenting, 'data'>) {
  return derive(row, {
    profileDesc: data.get('profiles', row.profileId)?.description ?? null,
    updPending: isPending(data, row.id),
    revalPending: isRevalPending(data, row.id),
  })
}

/** 1.1 and 1.2 show the hash id and its password in the details only. */
function legacyShape(row: JoinedRow<Records['servers']>, context: Presenting, asStrings: boolean) {
  return legacy(detailsOnly, withState(row, context), asStrings)
}

function named(values: ValuesOf<'servers'>): ValuesOf<'servers'> {
  return { ...values, xmppId: values.xmppId ?? values.hostName! }
}

function followed(server: Server, stated: Values, transaction: Transaction, before: Server | null): void {
  // Most clients send back the flag they read before: false must not take away an update that was queued meanwhile.
  if (flagIn(stated, 'updPending')) queue(transaction, [server.id])
  followServer(transaction, before, server)
}
