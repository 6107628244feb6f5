import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { uriSigningBody, uriSigningDocument } from '../../operations/keys/uriSigning.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import { success } from '../crud/routes.js'
import { commit, serviceNamed, unkept } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

const path = '/deliveryservices/:xmlId/urisignkeys'

/** URI signing keys: a bare document in and out, byte for byte what the caches get. */
export const uriSigningKeyEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path,
    role: 'admin',
    reach: 'tenants',
    summary: 'The URI signing keys of a delivery service, as the document they were given in',
    document: uriSigningDocument,
    reveals: 'private keys',
    live: async (input) => {
      const { data, vault } = uses
      const stored = data.get('uriSigningKeys', serviceNamed(data, input, input.params.xmlId).id)
      return bare(stored ? vault.unseal(stored.sealed) : '{}')
    },
  },
  storing(uses, 'POST'),
  storing(uses, 'PUT'),
  {
    method: 'DELETE',
    path,
    role: 'admin',
    reach: 'tenants',
    summary: 'Delete the URI signing keys of a delivery service',
    body: 'none',
    write: (input, transaction) => {
      const { id, xmlId } = serviceNamed(transaction.data, input, input.params.xmlId)
      if (!transaction.data.get('uriSigningKeys', id))
        return { alerts: [{ level: 'info', text: 'not deleted, no object found to delete' }] }
      transaction.remove('uriSigningKeys', id)
      transaction.log(`Deleted URI signing keys of delivery service ${xmlId}`)
      return { alerts: [success('object deleted')] }
    },
  },
]

function storing(uses: Uses, method: 'POST' | 'PUT'): Endpoint {
  return {
    method,
    path,
    role: 'admin',
    reach: 'tenants',
    query: dryRunQuery,
    summary: 'Store the URI signing keys of a delivery service',
    textBody: true,
    body: uriSigningBody,
    document: uriSigningDocument,
    live: (input, { committer }) => store(input, { ...uses, committer }),
  }
}

async function store(input: RequestInput, services: Writing): Promise<Result> {
  serviceNamed(services.data, input, input.params.xmlId)
  const text = uriSigningBody.read(input.body)
  const sealed = services.vault.seal(text)
  return commit(input, services, (transaction) => {
    const { id, xmlId } = serviceNamed(transaction.data, input, input.params.xmlId)
    if (transaction.data.get('uriSigningKeys', id)) transaction.update('uriSigningKeys', id, { sealed })
    else transaction.create('uriSigningKeys', { sealed }, id)
    transaction.log(`Stored URI signing keys of delivery service ${xmlId}`)
    return bare(text)
  })
}

const bare = (text: string): Result => ({
  raw: { body: text, contentType: 'application/json; charset=utf-8' },
  headers: unkept,
})
