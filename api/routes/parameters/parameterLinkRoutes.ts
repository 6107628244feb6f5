import { conflict, notFound } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { RequestInput } from '../../operations/endpoint.js'
import { each, eachInSteps } from '../../records/each.js'
import { link, unlink } from '../../records/kinds/parameterLinks.js'
import { mustBeAllowed } from '../../records/kinds/parameterSecrecy.js'
import { changing } from '../crud/changing.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, id, ids, linkBody, oneOrManyLinks } from '../crud/linkBody.js'
import { success } from '../crud/routes.js'

const linked = linkBody({ profileId: id, parameterId: id })
const links = oneOrManyLinks(linked)
const parametersOfProfile = linkBody({ profileId: id, paramIds: ids, replace: flag })
const profilesOfParameter = linkBody({ paramId: id, profileIds: ids, replace: flag })

const change = changing({ role: 'oper', reach: 'shared' })

/** Everything that changes which profile has which parameter, of those that are there. */
export const linkRoutes = [
  change(
    {
      method: 'POST',
      path: '/profileparameters',
      summary: 'Link profiles and parameters',
      body: links,
      response: links.schema,
    },
    addLinks,
  ),
  change(
    {
      method: 'DELETE',
      path: '/profileparameters/:profile_id/:parameter_id',
      summary: 'Take a parameter from a profile',
      body: 'none',
    },
    removeLink,
  ),
  change(
    {
      method: 'POST',
      path: '/profileparameter',
      summary: 'Link several parameters to a profile',
      body: parametersOfProfile,
      response: parametersOfProfile.reply,
    },
    linkParameters,
  ),
  change(
    {
      method: 'POST',
      path: '/parameterprofile',
      summary: 'Link a parameter to several profiles',
      body: profilesOfParameter,
      response: profilesOfParameter.reply,
    },
    linkProfiles,
  ),
]

function* addLinks(input: RequestInput, transaction: Transaction) {
  const { links: given, areMany } = links.read(input.body)
  const made = yield* eachInSteps(given, (body) => {
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
  return { response: areMany ? made : made[0], alerts: [success(text)] }
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
