import { Type } from '@sinclair/typebox'
import { invalid } from '../../config/errors.js'
import type { Answer, Asked, Calling, Endpoint } from '../../operations/endpoint.js'
import { uriSigningFaults } from '../../operations/keys/uriSigning.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import { success } from '../crud/routes.js'
import { commit, serviceNamed, unkept } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

const path = '/deliveryservices/:xmlId/urisignkeys'
const document = Type.Record(
  Type.String(),
  Type.Object({ renewal_kid: Type.Optional(Type.String()), keys: Type.Array(Type.Object({})) }),
)

/** URI signing keys: a bare document in and out, byte for byte what the caches get. */
export const uriSigningKeyEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path,
    role: 'admin',
    reach: 'tenants',
    summary: 'The URI signing keys of a delivery service, as the document they were given in',
    document,
    reveals: 'private keys',
    live: async (asked) => {
      const { data, vault } = uses
      const stored = data.get('uriSigningKeys', serviceNamed(data, asked, asked.params.xmlId).id)
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
    write: (asked, plan) => {
      const { id, xmlId } = serviceNamed(plan.data, asked, asked.params.xmlId)
      if (!plan.data.get('uriSigningKeys', id))
        return { alerts: [{ level: 'info', text: 'not deleted, no object found to delete' }] }
      plan.remove('uriSigningKeys', id)
      plan.log(`Deleted URI signing keys of delivery service ${xmlId}`)
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
    bodyDocument: document,
    document,
    live: (asked, { committer }) => store(asked, { ...uses, committer }),
  }
}

async function store(asked: Asked, services: Writing): Promise<Answer> {
  serviceNamed(services.data, asked, asked.params.xmlId)
  const text = typeof asked.body === 'string' ? asked.body : ''
  const faults = uriSigningFaults(text)
  if (faults.length > 0) throw invalid(faults)
  const sealed = services.vault.seal(text)
  return commit(asked, services, (plan) => {
    const { id, xmlId } = serviceNamed(plan.data, asked, asked.params.xmlId)
    if (plan.data.get('uriSigningKeys', id)) plan.update('uriSigningKeys', id, { sealed })
    else plan.create('uriSigningKeys', { sealed }, id)
    plan.log(`Stored URI signing keys of delivery service ${xmlId}`)
    return bare(text)
  })
}

const bare = (text: string): Answer => ({
  raw: { body: text, contentType: 'application/json; charset=utf-8' },
  headers: unkept,
})
