import { Type } from '@sinclair/typebox'
import type { Transaction } from '../../journal/transaction.js'
import { recordsBody } from '../../operations/bodies.js'
import type { RequestInput } from '../../operations/endpoint.js'
import { eachInSteps } from '../../records/each.js'
import { kindOf } from '../../records/kinds/index.js'
import { link } from '../../records/kinds/parameterLinks.js'
import { keepSecret, mustBeAllowed, sameParameter, secureNeedsAdmin } from '../../records/kinds/parameterSecrecy.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { changing } from '../crud/changing.js'
import { byPathId } from '../crud/ids.js'
import type { Resource } from '../crud/resource.js'
import { createRow, success } from '../crud/routes.js'
import { asWritten, parameterShown } from './parameterShapes.js'
import { profileNamed } from './profileParameterRoutes.js'

type Profile = Records['profiles']

const parametersAdded = Type.Object({
  profileName: Type.String(),
  profileId: Type.Integer(),
  parameters: Type.Array(Type.Omit(parameterShown, ['lastUpdated'])),
})
const newParameters = recordsBody(kindOf('parameters'), 'create')

const adding = (path: string, summary: string, profileOf: (input: RequestInput, data: Data) => Profile) =>
  changing({ role: 'oper', reach: 'shared' })(
    { method: 'POST', path, summary, body: newParameters, response: parametersAdded },
    (input, transaction, resource) => addNew(profileOf(input, transaction.data), input, transaction, resource),
  )

const profileById = (input: RequestInput, data: Data): Profile => byPathId(data, 'profiles', 'profile', input)

/** Parameters that are made for a profile. */
export const newParameterRoutes = [
  adding('/profiles/:id/parameters', 'Create parameters and link them to a profile', profileById),
  adding('/profiles/id/:id/parameters', 'As profiles/:id/parameters', profileById),
  adding('/profiles/name/:name/parameters', 'As profiles/:id/parameters', profileNamed),
]

/** An identical parameter that exists already is linked instead of made. */
function* addNew(profile: Profile, input: RequestInput, transaction: Transaction, resource: Resource) {
  const parameters = yield* eachInSteps(newParameters.read(input.body), (body) => {
    const values = newParameters.fields(body, transaction.data)
    mustBeAllowed({ secure: values.secure === true }, input)
    const found = sameParameter(transaction.data, values, input)
    const { id } = found ?? createRow(resource, body, input, transaction, { allow: secureNeedsAdmin, log: null })
    if (found) keepSecret(found, values, transaction)
    link(transaction, id, [profile.id])
    return transaction.data.get('parameters', id)!
  })
  const text = `Assign parameters successfully to profile ${profile.name}`
  transaction.log(text)
  const { version, user } = input
  const shapes = yield* eachInSteps(parameters, (parameter) => {
    const shape = asWritten(parameter, { data: transaction.data, version, user })
    return version === '1.3' ? { ...shape, secure: parameter.secure } : shape
  })
  return {
    response: { profileName: profile.name, profileId: profile.id, parameters: shapes },
    alerts: [success(text)],
  }
}
