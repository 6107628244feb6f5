import { Type } from '@sinclair/typebox'
import { noSuch } from '../../config/errors.js'
import { shownTime, zonedTime } from '../../config/times.js'
import { LazyList } from '../../flow/jsonText.js'
import type { ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery, numberQuery } from '../../operations/queryParameters.js'
import { unseen } from '../../records/kinds/parameterSecrecy.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { byPathId } from '../crud/ids.js'
import { sortAndPage } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import { asScoped, parameterShown } from './parameterShapes.js'

type Profile = Records['profiles']
type Parameter = Records['parameters']

const profileShown = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  type: Type.String(),
  lastUpdated: Type.String(),
})

/** Everything that asks which profile has which parameter. */
export const profileParameterRoutes = [
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
    parametersOf(profileNamed(input, data), input, data),
  ),
  reading('/parameters/profile/:name', "A profile's parameters", Type.Array(parameterShown), (input, data) =>
    parametersOf(profileNamed(input, data), input, data),
  ),
  linkList,
]

/** The profile a path names. */
export function profileNamed({ params }: RequestInput, data: Data): Profile {
  const profile = findOne(data, 'profiles', 'name', params.name ?? '')
  if (!profile) throw noSuch('profile', params.name ?? '')
  return profile
}

function profileShapes(profiles: readonly Profile[], { version, query }: RequestInput) {
  const native = version === '1.3'
  return sortAndPage(profiles, query, 'name').map(({ id, name, description, type, lastUpdated }) => ({
    lastUpdated: native ? zonedTime(lastUpdated) : shownTime(lastUpdated),
    name,
    id: native ? id : String(id),
    description,
    type,
  }))
}

const scoped = (parameters: readonly Parameter[], { query, version, user }: RequestInput) =>
  sortAndPage(parameters, query, 'name', unseen).map((parameter) => asScoped(parameter, { version, user }))

const parametersOf = ({ id }: Profile, input: RequestInput, data: Data) =>
  scoped(data.by('parameters', 'profiles', id), input)

const linkShown = Type.Object({
  profile: Type.String(),
  profileId: Type.Integer(),
  parameter: Type.String({ description: 'Its name. Older versions have the id here.' }),
  parameterId: Type.Integer(),
  lastUpdated: Type.String(),
})

function linkList(): ReadEndpoint {
  return {
    method: 'GET',
    path: '/profileparameters',
    role: 'any',
    reach: 'shared',
    summary: 'List which profile has which parameter',
    query: {
      ...listQuery,
      profileId: numberQuery('Only those of this profile.', { min: 1 }),
      parameterId: numberQuery('Only those of this parameter.', { min: 1 }),
    },
    response: Type.Array(linkShown),
    read: (input, data) => ({ response: listLinks(input, data) }),
  }
}

function listLinks({ query, version }: RequestInput, data: Data) {
  const links = chosenLinks(query, data).map(({ parameter, profileId }) => ({
    profile: data.get('profiles', profileId)!.name,
    profileId,
    parameter: parameter.name,
    parameterId: parameter.id,
    lastUpdated: parameter.lastUpdated,
  }))
  const old = version === '1.3' ? links : links.map((link) => ({ ...link, parameter: link.parameterId }))
  return new LazyList(
    sortAndPage<(typeof old)[number]>(old, query, 'profile'),
    ({ profile, profileId, parameter, parameterId, lastUpdated }) =>
      version === '1.3'
        ? { profile, profileId, parameter, parameterId, lastUpdated: zonedTime(lastUpdated) }
        : { profile, parameter: String(parameter), lastUpdated: shownTime(lastUpdated) },
  )
}

/** Asked of what is named alone, where something is. */
function chosenLinks({ profileId = '', parameterId = '' }: RequestInput['query'], data: Data) {
  const ids = { profile: asId(profileId), parameter: asId(parameterId) }
  const parameters =
    parameterId !== ''
      ? [data.get('parameters', ids.parameter)].filter((one) => one !== undefined)
      : profileId !== ''
        ? data.by('parameters', 'profiles', ids.profile ?? 0)
        : data.all('parameters')
  return parameters.flatMap((parameter) =>
    parameter.profiles
      .filter((id) => profileId === '' || id === ids.profile)
      .map((profile) => ({ parameter, profileId: profile })),
  )
}
