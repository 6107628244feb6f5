import { Type } from '@sinclair/typebox'
import { conflict, notFound } from '../../config/errors.js'
import { shownTime, zonedTime } from '../../config/times.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { eachInSteps } from '../../records/each.js'
import { unseen } from '../../records/kinds/parameterSecrecy.js'
import type { Data } from '../../schema/data.js'
import { changing } from '../crud/changing.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { id, linkBody, oneOrManyLinks } from '../crud/linkBody.js'
import { sortAndPage } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import type { Resource } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { asGroupParameter, asScoped, parameterShown } from './parameterShapes.js'

const linked = linkBody({ cacheGroupId: id, parameterId: id })
const links = oneOrManyLinks(linked)

const change = changing({ role: 'oper', reach: 'shared' })

const groupShown = Type.Object({ id: Type.Integer(), name: Type.String() })

/** Which cache group has which parameter. */
export const parameterRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  reading('/cachegroups/:id/parameters', "A cache group's parameters", Type.Array(parameterShown), (input, data) => {
    const has = parametersOf(byPathId(data, 'cachegroups', 'cachegroup', input).id, data)
    const rows = data.all('parameters').filter(({ id }) => has.has(id))
    return sortAndPage(rows, input.query, 'name', unseen).map((row) => asGroupParameter(row, input))
  }),
  reading(
    '/cachegroups/:id/unassigned_parameters',
    'Parameters that a cache group lacks',
    Type.Array(parameterShown),
    (input, data) => {
      const has = parametersOf(byPathId(data, 'cachegroups', 'cachegroup', input).id, data)
      const rows = data.all('parameters').filter(({ id }) => !has.has(id))
      return sortAndPage(rows, input.query, 'name', unseen).map((row) => asScoped(row, input))
    },
  ),
  reading(
    '/cachegroup/:parameter_id/parameter',
    'Cache groups that have a parameter',
    Type.Object({ cachegroups: Type.Array(groupShown) }),
    (input, data) => {
      const has = groupsOf(input, data)
      return { cachegroups: named(input, data, (id) => has.has(id)) }
    },
  ),
  reading(
    '/cachegroups/:parameter_id/parameter/available',
    'Cache groups that lack a parameter',
    Type.Array(groupShown),
    (input, data) => {
      const has = groupsOf(input, data)
      return named(input, data, (id) => !has.has(id))
    },
  ),
  reading(
    '/cachegroupparameters',
    'List which cache group has which parameter',
    Type.Object({
      cachegroupParameters: Type.Array(
        Type.Object({ parameter: Type.Integer(), lastUpdated: Type.String(), cachegroup: Type.String() }),
      ),
    }),
    listed,
  ),
  change(
    {
      method: 'POST',
      path: '/cachegroupparameters',
      summary: 'Give cache groups parameters',
      body: links,
      response: links.schema,
    },
    added,
  ),
  change(
    {
      method: 'DELETE',
      path: '/cachegroupparameters/:cachegroup_id/:parameter_id',
      summary: 'Take a parameter away',
      body: 'none',
    },
    removed,
  ),
]

const parametersOf = (group: number, data: Data): ReadonlySet<number> =>
  new Set(data.by('cachegroupParameters', 'cacheGroupId', group).map(({ parameterId }) => parameterId))

function groupsOf(input: RequestInput, data: Data): ReadonlySet<number> {
  const { id } = byPathId(data, 'parameters', 'parameter', input, 'parameter_id')
  return new Set(data.by('cachegroupParameters', 'parameterId', id).map(({ cacheGroupId }) => cacheGroupId))
}

function named({ query, version }: RequestInput, data: Data, chosen: (id: number) => boolean) {
  const groups = data.all('cachegroups').filter(({ id }) => chosen(id))
  return sortAndPage(groups, query, 'name').map(({ name, id }) => ({ name, id: version === '1.3' ? id : String(id) }))
}

/** Version 1.1 spells the time `last_updated`. */
function listed({ version }: RequestInput, data: Data) {
  const links = data.all('cachegroupParameters').map(({ parameterId, cacheGroupId, lastUpdated }) => ({
    parameter: version === '1.3' ? parameterId : String(parameterId),
    ...(version === '1.1'
      ? { last_updated: shownTime(lastUpdated) }
      : { lastUpdated: version === '1.3' ? zonedTime(lastUpdated) : shownTime(lastUpdated) }),
    cachegroup: data.get('cachegroups', cacheGroupId)!.name,
  }))
  return { cachegroupParameters: links }
}

function* added(input: RequestInput, transaction: Transaction) {
  const { data } = transaction
  const { links: given, areMany } = links.read(input.body)
  const made = yield* eachInSteps(given, (body) => {
    const { cacheGroupId, parameterId } = linked.read(body)
    byBodyId(data, 'cachegroups', cacheGroupId, 'cacheGroupId')
    byBodyId(data, 'parameters', parameterId, 'parameterId')
    if (parametersOf(cacheGroupId, data).has(parameterId)) {
      throw conflict(`parameter ${parameterId} already belongs to cache group ${cacheGroupId}.`)
    }
    transaction.create('cachegroupParameters', { cacheGroupId, parameterId })
    return { cacheGroupId, parameterId }
  })
  const text = 'Cache group parameter associations were created.'
  transaction.log(text)
  return { response: areMany ? made : made[0], alerts: [success(text)] }
}

function removed(input: RequestInput, transaction: Transaction) {
  const { data } = transaction
  const group = byPathId(data, 'cachegroups', 'cachegroup', input, 'cachegroup_id')
  const parameter = byPathId(data, 'parameters', 'parameter', input, 'parameter_id')
  const key = JSON.stringify([group.id, parameter.id])
  const [id] = data.ids('cachegroupParameters', 'cacheGroupId+parameterId', key)
  if (id === undefined) throw notFound('The cache group does not have the parameter.')
  transaction.remove('cachegroupParameters', id)
  transaction.log(`Took parameter ${parameter.name} (id ${parameter.id}) from cache group ${group.name}`)
  return { alerts: [success('Cache group parameter association was deleted.')] }
}
