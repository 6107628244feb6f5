import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { invalid, noSuch } from '../../config/errors.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Endpoint, RequestInput } from '../../operations/endpoint.js'
import { textQuery } from '../../operations/queryParameters.js'
import { isSet, withKeptSecrets } from '../../operations/transfer/transferSecrets.js'
import { eachInSteps } from '../../records/each.js'
import { kindOf } from '../../records/kinds/index.js'
import { link } from '../../records/kinds/parameterLinks.js'
import { keepSecret, mustBeAllowed, sameParameter } from '../../records/kinds/parameterSecrecy.js'
import { saysNothing } from '../../records/nothing.js'
import type { Values } from '../../records/recordBody.js'
import { readBody } from '../../records/recordBody.js'
import { recordSchema } from '../../records/recordSchema.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { seesSecrets } from '../../schema/privileges.js'
import { mask } from '../../schema/secrecy.js'
import { byPathId } from '../crud/ids.js'
import type { Resource } from '../crud/resource.js'
import { createRow, success } from '../crud/routes.js'
import parameters from './parameters.js'

/** A new profile with the description, CDN, type and parameters of another. */
export function copied(resource: Resource): Endpoint {
  return {
    method: 'POST',
    path: '/profiles/name/:profile_name/copy/:profile_copy_from',
    role: 'oper',
    reach: 'shared',
    summary: 'Copy a profile with its parameters',
    query: { cdn: textQuery('The CDN that the copy is for, by name; that of the profile when absent.') },
    body: 'none',
    response: Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      profileCopyFrom: Type.String(),
      idCopyFrom: Type.Integer(),
      description: Type.String(),
    }),
    *write(input, transaction) {
      const { profile_name: name = '', profile_copy_from: sourceName = '' } = input.params
      const source = findOne(transaction.data, 'profiles', 'name', sourceName)
      if (!source) throw noSuch('profile', sourceName)
      const text = `Created new profile [ ${name} ] from existing profile [ ${sourceName} ]`
      const { cdn: cdnName } = input.query
      const cdn = cdnName === undefined ? source.cdn : findOne(transaction.data, 'cdns', 'name', cdnName)?.id
      if (cdn === undefined) throw noSuch('cdn', cdnName ?? '')
      const { id } = createRow(resource, { ...source, name, cdn }, input, transaction, { log: () => text })
      for (const parameter of [...transaction.data.by('parameters', 'profiles', source.id)]) {
        link(transaction, parameter.id, [id])
        yield
      }
      const { description } = source
      const copy = { id, name, profileCopyFrom: sourceName, idCopyFrom: source.id, description }
      return {
        // The field's portal reads an object, as its system answers; interface.md has a list.
        response: input.version === '1.3' ? copy : [copy],
        alerts: [success(text)],
      }
    },
  }
}

/** The document by which profiles travel between installations: references by name, no ids. */
export function exported(): Endpoint {
  return {
    method: 'GET',
    path: '/profiles/:id/export',
    role: 'any',
    reach: 'shared',
    summary: 'A profile with its parameters, as profiles/import takes it',
    read: (input, data) => ({ bare: document(input, data) }),
  }
}

function document(input: RequestInput, data: Data) {
  const { id, name, description, type, cdn } = byPathId(data, 'profiles', 'profile', input)
  // A document travels, so it holds no secret; only who could see one learns that there is one.
  const own = data
    .by('parameters', 'profiles', id)
    .filter(({ secure }) => !secure || seesSecrets(input.user))
    .map(({ name, configFile, value, secure }) =>
      secure ? { name, config_file: configFile, value: mask, secure } : { name, config_file: configFile, value },
    )
  return { profile: { name, description, type, cdn: data.get('cdns', cdn)?.name ?? null }, parameters: own }
}

/** Its parameters are read one a step, so that what is wrong with any of them is said. */
const exportedProfile: Body<{ readonly profile: Values; readonly parameters: readonly unknown[] }> = {
  schema: Type.Object({
    profile: recordSchema(kindOf('profiles'), 'create', {
      given: ['cdn'],
      more: { cdn: Type.Unsafe({ type: ['string', 'null'], description: 'By name.' }) },
    }),
    parameters: Type.Optional(
      Type.Array(recordSchema(kindOf('parameters'), 'create', { only: ['name', 'configFile', 'value', 'secure'] })),
    ),
  }),
  read: (given) => {
    const { profile, parameters } = objectOf(given)
    const list = saysNothing(parameters) ? [] : parameters
    const whole = saysNothing(profile) ? {} : profile
    const faults: Fault[] = []
    if (typeof whole !== 'object' || Array.isArray(whole))
      faults.push({ path: 'profile', text: 'profile must be an object' })
    if (!Array.isArray(list)) faults.push({ path: 'parameters', text: 'parameters must be an array' })
    if (faults.length > 0) throw invalid(faults)
    return { profile: whole as Values, parameters: list as readonly unknown[] }
  },
}

export function imported(resource: Resource): Endpoint {
  return {
    method: 'POST',
    path: '/profiles/import',
    role: 'oper',
    reach: 'shared',
    summary: 'Create a profile with its parameters from an exported document',
    body: exportedProfile,
    response: Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      description: Type.String(),
      type: Type.String(),
      cdn: Type.Union([Type.String(), Type.Null()]),
    }),
    *write(input, transaction) {
      const { profile, parameters: list } = exportedProfile.read(input.body)
      const { cdn, ...rest } = profile
      if (!saysNothing(cdn) && !(typeof cdn === 'string' && transaction.data.has('cdns', 'name', cdn)))
        throw invalid([dangling('cdn', 'cdns', cdn)])
      const row = createRow(resource, { ...rest, cdnName: cdn }, input, transaction, { log: null })
      const kept = new Set<string>()
      const made = yield* eachInSteps(list, (element) =>
        linkedParameter(objectOf(element), { id: row.id, kept }, input, transaction),
      )
      const fresh = made.filter(Boolean).length
      const { id, name, description, type } = row
      const text = `Profile imported [ ${name} ] with ${fresh} new and ${made.length - fresh} existing parameters`
      transaction.log(text)
      return {
        response: {
          id,
          name,
          description,
          type,
          cdn: transaction.data.get('cdns', row.cdn as number | null)?.name ?? null,
        },
        alerts: [success(text)],
      }
    },
  }
}

/** Whether the parameter had to be made. */
function linkedParameter(
  given: Readonly<Record<string, unknown>>,
  profile: { readonly id: number; readonly kept: Set<string> },
  input: RequestInput,
  transaction: Transaction,
): boolean {
  const { name, value, configFile, config_file, secure } = given
  mustBeAllowed({ secure: isSet(secure) }, input)
  const body = { name, configFile, config_file, value, ...(secure === undefined ? {} : { secure }) }
  const { record, faults: keptFaults } = withKeptSecrets(parameters, body, transaction.data, profile.kept)
  const { values, faults: bodyFaults } = readBody(parameters, record, { mode: 'create', data: transaction.data })
  const faults = [...keptFaults, ...bodyFaults]
  if (faults.length > 0) throw invalid(faults)
  const found = sameParameter(transaction.data, values, input)
  const { id } = found ?? createRow(parameters, values, input, transaction, { log: null })
  if (found) keepSecret(found, values, transaction)
  link(transaction, id, [profile.id])
  return !found
}
