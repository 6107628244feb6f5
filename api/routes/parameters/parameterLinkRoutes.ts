import { type TSchema, Type } from '@sinclair/typebox'
import { conflict, invalid, noSuch, notFound } from '../../config/errors.js'
import { shownTime, zonedTime } from '../../config/times.js'
import { LazyList } from '../../flow/jsonText.js'
import type { Transaction } from '../../journal/transaction.js'
import { oneOrManyOf, recordsBody } from '../../operations/bodies.js'
import type { Body, Decision, Endpoint, RequestInput, WriteMethod } from '../../operations/endpoint.js'
import { each, eachInSteps, oneOrMany } from '../../records/each.js'
import { kindOf } from '../../records/kinds/index.js'
import { link, unlink } from '../../records/kinds/parameterLinks.js'
import {
  keepSecret,
  mustBeAllowed,
  sameParameter,
  secureNeedsAdmin,
  unseen,
} from '../../records/kinds/parameterSecrecy.js'
import { readBody } from '../../records/recordBody.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, id, ids, linkBody } from '../crud/linkBody.js'
import { arrange } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import type { Resource } from '../crud/resource.js'
import { createRow, success } from '../crud/routes.js'
import { asScoped, asWritten } from './parameterShapes.js'

type Profile = Records['profiles']
type Parameter = Records['parameters']

const change =
  (
    method: WriteMethod,
    path: string,
    summary: string,
    shapes: { body: Body | 'none'; response?: TSchema },
    write: (input: RequestInput, transaction: Transaction, resource: Resource) => Decision,
  ) =>
  (resource: Resource): Endpoint => ({
    method,
    path,
    role: 'oper',
    reach: 'shared',
    summary,
    body: shapes.body,
    ...(shapes.response ? { response: shapes.response } : {}),
    write: (input, transaction) => write(input, transaction, resource),
  })

const profileShown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  lastUpdated: Type.String(),
})
const parameterShown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  configFile: Type.String(),
  value: Type.String(),
  secure: Type.Boolean(),
  lastUpdated: Type.String(),
})
const parametersAdded = Type.Object({
  profileName: Type.String(),
  profileId: Type.Integer(),
  parameters: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      configFile: Type.String(),
      value: Type.String(),
      secure: Type.Boolean(),
    }),
  ),
})
const newParameters = recordsBody(kindOf('parameters'), 'create')
const linked = linkBody({ profileId: id, parameterId: id })
const links: Body<readonly unknown[]> = { schema: oneOrManyOf(linked.schema), read: oneOrMany }
const parametersOfProfile = linkBody({ profileId: id, paramIds: ids, replace: flag })
const profilesOfParameter = linkBody({ paramId: id, profileIds: ids, replace: flag })

/** Everything that asks for or changes which profile has which parameter. */
export const linkRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  reading('/parameters/:id/profiles', 'Profiles that have a parameter', Type.Array(profileShown), (input, data) => {
    const { profiles } = byPathId(data, 'parameters', 'parameter', input)
    return profileShapes(
      profiles.map((id) => data.get('profiles', id)!),
      input,
    )
  }),
  reading(
    '/parameters/:id/unassigned_profiles',
    'Profiles that lack a parameter',
    Type.Array(Type.Omit(profileShown, ['type'])),
    (input, data) => {
      const has = new Set(byPathId(data, 'parameters', 'parameter', input).profiles)
      const lacking = data.all('profiles').filter(({ id }) => !has.has(id))
      return profileShapes(lacking, input).map(({ type: _, ...shape }) => shape)
    },
  ),
  reading('/profiles/:id/parameters', "A profile's parameters", Type.Array(parameterShown), (input, data) =>
    parametersOf(byPathId(data, 'profiles', 'profile', input), input, data),
  ),
  reading(
    '/profiles/:id/unassigned_parameters',
    'Parameters that a profile lacks',
    Type.Array(parameterShown),
    (input, data) => {
      const { id } = byPathId(data, 'profiles', 'profile', input)
      return scoped(
        data.all('parameters').filter(({ profiles }) => !profiles.includes(id)),
        input,
      )
    },
  ),
  reading('/profiles/name/:name/parameters', "A profile's parameters", Type.Array(parameterShown), (input, data) =>
    parametersOf(byName(input, data), input, data),
  ),
  reading('/parameters/profile/:name', "A profile's parameters", Type.Array(parameterShown), (input, data) =>
    parametersOf(byName(input, data), input, data),
  ),
  change(
    'POST',
    '/profiles/:id/parameters',
    'Create parameters and link them to a profile',
    { body: newParameters, response: parametersAdded },
    (input, transaction, resource) =>
      addNew(byPathId(transaction.data, 'profiles', 'profile', input), input, transaction, resource),
  ),
  change(
    'POST',
    '/profiles/id/:id/parameters',
    'As profiles/:id/parameters',
    { body: newParameters, response: parametersAdded },
    (input, transaction, resource) =>
      addNew(byPathId(transaction.data, 'profiles', 'profile', input), input, transaction, resource),
  ),
  change(
    'POST',
    '/profiles/name/:name/parameters',
    'As profiles/:id/parameters',
    { body: newParameters, response: parametersAdded },
    (input, transaction, resource) => addNew(byName(input, transaction.data), input, transaction, resource),
  ),
  reading(
    '/profileparameters',
    'List which profile has which parameter',
    Type.Array(Type.Object({ profile: Type.String(), parameter: Type.Integer(), lastUpdated: Type.String() })),
    listLinks,
  ),
  change(
    'POST',
    '/profileparameters',
    'Link profiles and parameters',
    { body: links, response: oneOrManyOf(linked.schema) },
    addLinks,
  ),
  change(
    'DELETE',
    '/profileparameters/:profile_id/:parameter_id',
    'Take a parameter from a profile',
    { body: 'none' },
    removeLink,
  ),
  change(
    'POST',
    '/profileparameter',
    'Link several parameters to a profile',
    {
      body: parametersOfProfile,
      response: Type.Object({
        profileId: Type.Integer(),
        paramIds: Type.Array(Type.Integer()),
        replace: Type.Boolean(),
      }),
    },
    linkParameters,
  ),
  change(
    'POST',
    '/parameterprofile',
    'Link a parameter to several profiles',
    {
      body: profilesOfParameter,
      response: Type.Object({
        paramId: Type.Integer(),
        profileIds: Type.Array(Type.Integer()),
        replace: Type.Boolean(),
      }),
    },
    linkProfiles,
  ),
]

function byName({ params }: RequestInput, data: Data): Profile {
  const profile = findOne(data, 'profiles', 'name', params.name ?? '')
  if (!profile) throw noSuch('profile', params.name ?? '')
  return profile
}

function profileShapes(profiles: readonly Profile[], { version, query }: RequestInput) {
  const native = version === '1.3'
  return arrange(profiles, query, 'name').map(({ id, name, description, type, lastUpdated }) => ({
    lastUpdated: native ? zonedTime(lastUpdated) : shownTime(lastUpdated),
    name,
    id: native ? id : String(id),
    description,
    type,
  }))
}

const scoped = (parameters: readonly Parameter[], { query, version, user }: RequestInput) =>
  arrange(parameters, query, 'name', unseen).map((parameter) => asScoped(parameter, { version, user }))

const parametersOf = ({ id }: Profile, input: RequestInput, data: Data) =>
  scoped(data.by('parameters', 'profiles', id), input)

/** An identical parameter that exists already is linked instead of made. */
function* addNew(profile: Profile, input: RequestInput, transaction: Transaction, resource: Resource) {
  const parameters = yield* eachInSteps(newParameters.read(input.body), (body) => {
    const { values, faults } = readBody(resource, body, { mode: 'create', data: transaction.data })
    if (faults.length > 0) throw invalid(faults)
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

function listLinks({ query, version }: RequestInput, data: Data) {
  const links = data
    .all('parameters')
    .flatMap(({ id, profiles, lastUpdated }) =>
      profiles.map((profile) => ({ profile: data.get('profiles', profile)!.name, parameter: id, lastUpdated })),
    )
  return new LazyList(arrange(links, query, 'profile'), ({ profile, parameter, lastUpdated }) => ({
    profile,
    parameter: version === '1.3' ? parameter : String(parameter),
    lastUpdated: version === '1.3' ? zonedTime(lastUpdated) : shownTime(lastUpdated),
  }))
}

function* addLinks(input: RequestInput, transaction: Transaction) {
  const made = yield* eachInSteps(links.read(input.body), (body) => {
    const { profileId, parameterId } = linked.read(body)
    byBodyId(transaction.data, 'profiles', profileId, 'profileId')
    const parameter = byBodyId(transaction.data, 'parameters', parameterId, 'parameterId')
    mustBeAllowed(parameter, input)
    if (parameter.profiles.includes(profileId)) {
      throw conflict(`parameter ${parameterId} is already linked to profile ${profileId}.`)
    }
    link(transaction, parameterId, [profileId])
    return { profileId, parameterId }
  })
  const text = 'Profile parameter associations were created.'
  transaction.log(text)
  return { response: Array.isArray(input.body) ? made : made[0], alerts: [success(text)] }
}

function removeLink(input: RequestInput, transaction: Transaction) {
  const profile = byPathId(transaction.data, 'profiles', 'profile', input, 'profile_id')
  const parameter = byPathId(transaction.data, 'parameters', 'parameter', input, 'parameter_id')
  if (!parameter.profiles.includes(profile.id)) throw notFound('The parameter is not linked to the profile.')
  mustBeAllowed(parameter, input)
  unlink(transaction, parameter.id, [profile.id])
  const text = 'Profile parameter association was deleted.'
  transaction.log(`Took parameter ${parameter.name} (id ${parameter.id}) from profile ${profile.name}`)
  return { alerts: [success(text)] }
}

function* linkParameters(input: RequestInput, transaction: Transaction) {
  const { profileId, paramIds, replace } = parametersOfProfile.read(input.body)
  const profile = byBodyId(transaction.data, 'profiles', profileId, 'profileId')
  yield* eachInSteps(paramIds, (id) => mustBeAllowed(byBodyId(transaction.data, 'parameters', id, 'paramIds'), input))
  if (replace) {
    const kept = new Set(paramIds)
    for (const parameter of [...transaction.data.by('parameters', 'profiles', profileId)]) {
      yield
      if (kept.has(parameter.id)) continue
      mustBeAllowed(parameter, input)
      unlink(transaction, parameter.id, [profileId])
    }
  }
  for (const id of paramIds) {
    link(transaction, id, [profileId])
    yield
  }
  const text = `${paramIds.length} parameters were assigned to the ${profile.name} profile`
  transaction.log(text)
  return { response: { profileId, paramIds, replace }, alerts: [success(text)] }
}

function linkProfiles(input: RequestInput, transaction: Transaction) {
  const { paramId, profileIds, replace } = profilesOfParameter.read(input.body)
  const parameter = byBodyId(transaction.data, 'parameters', paramId, 'paramId')
  mustBeAllowed(parameter, input)
  each(profileIds, (id) => byBodyId(transaction.data, 'profiles', id, 'profileIds'))
  if (replace) {
    unlink(
      transaction,
      paramId,
      parameter.profiles.filter((id) => !profileIds.includes(id)),
    )
  }
  link(transaction, paramId, profileIds)
  const text = `${profileIds.length} profiles were assigned to the ${parameter.name} parameter`
  transaction.log(text)
  return { response: { paramId, profileIds, replace }, alerts: [success(text)] }
}
