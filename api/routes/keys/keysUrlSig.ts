import { Type } from '@sinclair/typebox'
import { badRequest } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { makeUrlSigKeys } from '../../operations/keys/urlSig.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'
import { reachedService } from '../deliveryServices/reachedService.js'
import { commit, serviceNamed, unkept } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

const keys = Type.Record(Type.String({ pattern: '^key(1[0-5]|[0-9])$' }), Type.String())

export const urlSigKeyEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/deliveryservices/xmlId/:xmlId/urlkeys',
    role: 'any',
    reach: 'tenants',
    summary: 'The keys that sign the URLs of a delivery service',
    response: keys,
    reveals: 'private keys',
    live: async (input) => read(serviceNamed(uses.data, input, input.params.xmlId), uses),
  },
  {
    method: 'GET',
    path: '/deliveryservices/:id/urlkeys',
    role: 'any',
    reach: 'tenants',
    summary: 'The keys that sign the URLs of a delivery service, by its id',
    response: keys,
    reveals: 'private keys',
    live: async (input) => {
      return read(reachedService(input, uses.data), uses)
    },
  },
  {
    method: 'POST',
    path: '/deliveryservices/xmlId/:xmlId/urlkeys/generate',
    role: 'oper',
    reach: 'tenants',
    query: dryRunQuery,
    summary: 'Make new keys to sign the URLs of a delivery service',
    body: 'none',
    live: (input, call) => {
      const sealed = uses.vault.seal(JSON.stringify(makeUrlSigKeys()))
      return commit(input, call, (transaction) => {
        const service = serviceNamed(transaction.data, input, input.params.xmlId)
        put(transaction, service, sealed)
        transaction.log(`Generated URL signing keys for delivery service ${service.xmlId}`)
        return { alerts: [success('Successfully generated and stored keys')] }
      })
    },
  },
  {
    method: 'POST',
    path: '/deliveryservices/xmlId/:xmlId/urlkeys/copyFromXmlId/:copyFromXmlId',
    role: 'oper',
    reach: 'tenants',
    query: dryRunQuery,
    summary: 'Sign the URLs of a delivery service with the keys of another',
    body: 'none',
    live: (input, { committer }) => copy(input, { ...uses, committer }),
  },
]

async function read({ id }: { id: number }, { data, vault }: Uses): Promise<Result> {
  const stored = data.get('urlSigKeys', id)
  if (!stored) return { response: {}, alerts: [success('No url sig keys found')], headers: unkept }
  return { response: JSON.parse(vault.unseal(stored.sealed)), headers: unkept }
}

function copy(input: RequestInput, services: Writing): Promise<Result> {
  const { xmlId, copyFromXmlId } = input.params
  const sealedFor = (data: Data) => data.get('urlSigKeys', serviceNamed(data, input, copyFromXmlId).id)?.sealed
  return commit(input, services, (transaction) => {
    const service = serviceNamed(transaction.data, input, xmlId)
    const source = sealedFor(transaction.data)
    if (source === undefined) throw badRequest(`Delivery service ${copyFromXmlId} has no url sig keys to copy.`)
    // Sealed anew: equal texts would show that two services share their keys.
    transaction.mention('deliveryServices', serviceNamed(transaction.data, input, copyFromXmlId).id)
    put(transaction, service, services.vault.seal(services.vault.unseal(source)))
    transaction.log(`Copied URL signing keys from delivery service ${copyFromXmlId} to ${service.xmlId}`)
    return { alerts: [success('Successfully copied and stored keys')] }
  })
}

function put(transaction: Transaction, { id }: Records['deliveryServices'], sealed: string): void {
  if (transaction.data.get('urlSigKeys', id)) transaction.update('urlSigKeys', id, { sealed })
  else transaction.create('urlSigKeys', { sealed }, id)
}
