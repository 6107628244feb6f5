import { type TSchema, Type } from '@sinclair/typebox'
import { conflict, invalid, noSuch, notFound } from '../../config/errors.js'
import { shownTime, zonedTime } from '../../config/times.js'
import { LazyList } from '../../flow/jsonText.js'
import type { Plan } from '../../journal/plan.js'
import { oneOrManyOf, recordsBody } from '../../operations/bodies.js'
import type { Asked, Body, Decision, Endpoint, Method } from '../../operations/endpoint.js'
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
import { one } from '../../schema/data.js'
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
    method: Method,
    path: string,
    summary: string,
    shapes: { body?: Body; response?: TSchema },
    write: (asked: Asked, plan: Plan, resource: Resource) => Decision,
  ) =>
  (resource: Resource): Endpoint => ({
    method,
    path,
    role: 'oper',
    reach: 'shared',
    summary,
    ...(shapes.body ? { body: shapes.body } : {}),
    ...(shapes.response ? { response: shapes.response } : {}),
    write: (asked, plan) => write(asked, plan, resource),
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
  reading('/parameters/:id/profiles', 'Profiles that have a parameter', Type.Array(profileShown), (asked, data) => {
    const { profiles } = byPathId(data, 'parameters', 'parameter', asked)
    return profileShapes(
      profiles.map((id) => data.get('profiles', id)!),
      asked,
    )
  }),
  reading(
    '/parameters/:id/unassigned_profiles',
    'Profiles that lack a parameter',
    Type.Array(Type.Omit(profileShown, ['type'])),
    (asked, data) => {
      const has = new Set(byPathId(data, 'parameters', 'parameter', asked).profiles)
      const lacking = data.all('profiles').filter(({ id }) => !has.has(id))
      return profileShapes(lacking, asked).map(({ type: _, ...shape }) => shape)
    },
  ),
  reading('/profiles/:id/parameters', "A profile's parameters", Type.Array(parameterShown), (asked, data) =>
    parametersOf(byPathId(data, 'profiles', 'profile', asked), asked, data),
  ),
  reading(
    '/profiles/:id/unassigned_parameters',
    'Parameters that a profile lacks',
    Type.Array(parameterShown),
    (asked, data) => {
      const { id } = byPathId(data, 'profiles', 'profile', asked)
      return scoped(
        data.all('parameters').filter(({ profiles }) => !profiles.includes(id)),
        asked,
      )
    },
  ),
  reading('/profiles/name/:name/parameters', "A profile's parameters", Type.Array(parameterShown), (asked, data) =>
    parametersOf(byName(asked, data), asked, data),
  ),
  reading('/parameters/profile/:name', "A profile's parameters", Type.Array(parameterShown), (asked, data) =>
    parametersOf(byName(asked, data), asked, data),
  ),
  change(
    'POST',
    '/profiles/:id/parameters',
    'Create parameters and link them to a profile',
    { body: newParameters, response: parametersAdded },
    (asked, plan, resource) => addNew(byPathId(plan.data, 'profiles', 'profile', asked), asked, plan, resource),
  ),
  change(
    'POST',
    '/profiles/id/:id/parameters',
    'As profiles/:id/parameters',
    { body: newParameters, response: parametersAdded },
    (asked, plan, resource) => addNew(byPathId(plan.data, 'profiles', 'profile', asked), asked, plan, resource),
  ),
  change(
    'POST',
    '/profiles/name/:name/parameters',
    'As profiles/:id/parameters',
    { body: newParameters, response: parametersAdded },
    (asked, plan, resource) => addNew(byName(asked, plan.data), asked, plan, resource),
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
  change('DELETE', '/profileparameters/:profile_id/:parameter_id', 'Take a parameter from a profile', {}, removeLink),
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

function byName({ params }: Asked, data: Data): Profile {
  const profile = one(data, 'profiles', 'name', params.name ?? '')
  if (!profile) throw noSuch('profile', params.name ?? '')
  return profile
}

function profileShapes(profiles: readonly Profile[], { version, query }: Asked) {
  const native = version === '1.3'
  return arrange(profiles, query, 'name').map(({ id, name, description, type, lastUpdated }) => ({
    lastUpdated: native ? zonedTime(lastUpdated) : shownTime(lastUpdated),
    name,
    id: native ? id : String(id),
    description,
    type,
  }))
}

const scoped = (parameters: readonly Parameter[], { query, version, user }: Asked) =>
  arrange(parameters, query, 'name', unseen).map((parameter) => asScoped(parameter, { version, user }))

const parametersOf = ({ id }: Profile, asked: Asked, data: Data) => scoped(data.by('parameters', 'profiles', id), asked)

/** An identical parameter that exists already is linked instead of made. */
function* addNew(profile: Profile, asked: Asked, plan: Plan, resource: Resource) {
  const parameters = yield* eachInSteps(newParameters.read(asked.body), (body) => {
    const { values, faults } = readBody(resource, body, { mode: 'create', data: plan.data })
    if (faults.length > 0) throw invalid(faults)
    mustBeAllowed({ secure: values.secure === true }, asked)
    const found = sameParameter(plan.data, values, asked)
    const { id } = found ?? createRow(resource, body, asked, plan, { allow: secureNeedsAdmin, log: null })
    if (found) keepSecret(found, values, plan)
    link(plan, id, [profile.id])
    return plan.data.get('parameters', id)!
  })
  const text = `Assign parameters successfully to profile ${profile.name}`
  plan.log(text)
  const { version, user } = asked
  const shapes = yield* eachInSteps(parameters, (parameter) => {
    const shape = asWritten(parameter, { data: plan.data, version, user })
    return version === '1.3' ? { ...shape, secure: parameter.secure } : shape
  })
  return {
    response: { profileName: profile.name, profileId: profile.id, parameters: shapes },
    alerts: [success(text)],
  }
}

function listLinks({ query, version }: Asked, data: Data) {
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

function* addLinks(asked: Asked, plan: Plan) {
  const made = yield* eachInSteps(links.read(asked.body), (body) => {
    const { profileId, parameterId } = linked.read(body)
    byBodyId(plan.data, 'profiles', profileId, 'profileId')
    const parameter = byBodyId(plan.data, 'parameters', parameterId, 'parameterId')
    mustBeAllowed(parameter, asked)
    if (parameter.profiles.includes(profileId)) {
      throw conflict(`parameter ${parameterId} is already linked to profile ${profileId}.`)
    }
    link(plan, parameterId, [profileId])
    return { profileId, parameterId }
  })
  const text = 'Profile parameter associations were created.'
  plan.log(text)
  return { response: Array.isArray(asked.body) ? made : made[0], alerts: [success(text)] }
}

function removeLink(asked: Asked, plan: Plan) {
  const profile = byPathId(plan.data, 'profiles', 'profile', asked, 'profile_id')
  const parameter = byPathId(plan.data, 'parameters', 'parameter', asked, 'parameter_id')
  if (!parameter.profiles.includes(profile.id)) throw notFound('The parameter is not linked to the profile.')
  mustBeAllowed(parameter, asked)
  unlink(plan, parameter.id, [profile.id])
  const text = 'Profile parameter association was deleted.'
  plan.log(`Took parameter ${parameter.name} (id ${parameter.id}) from profile ${profile.name}`)
  return { alerts: [success(text)] }
}

function* linkParameters(asked: Asked, plan: Plan) {
  const { profileId, paramIds, replace } = parametersOfProfile.read(asked.body)
  const profile = byBodyId(plan.data, 'profiles', profileId, 'profileId')
  yield* eachInSteps(paramIds, (id) => mustBeAllowed(byBodyId(plan.data, 'parameters', id, 'paramIds'), asked))
  if (replace) {
    const kept = new Set(paramIds)
    for (const parameter of [...plan.data.by('parameters', 'profiles', profileId)]) {
      yield
      if (kept.has(parameter.id)) continue
      mustBeAllowed(parameter, asked)
      unlink(plan, parameter.id, [profileId])
    }
  }
  for (const id of paramIds) {
    link(plan, id, [profileId])
    yield
  }
  const text = `${paramIds.length} parameters were assigned to the ${profile.name} profile`
  plan.log(text)
  return { response: { profileId, paramIds, replace }, alerts: [success(text)] }
}

function linkProfiles(asked: Asked, plan: Plan) {
  const { paramId, profileIds, replace } = profilesOfParameter.read(asked.body)
  const parameter = byBodyId(plan.data, 'parameters', paramId, 'paramId')
  mustBeAllowed(parameter, asked)
  each(profileIds, (id) => byBodyId(plan.data, 'profiles', id, 'profileIds'))
  if (replace) {
    unlink(
      plan,
      paramId,
      parameter.profiles.filter((id) => !profileIds.includes(id)),
    )
  }
  link(plan, paramId, profileIds)
  const text = `${profileIds.length} profiles were assigned to the ${parameter.name} parameter`
  plan.log(text)
  return { response: { paramId, profileIds, replace }, alerts: [success(text)] }
}
