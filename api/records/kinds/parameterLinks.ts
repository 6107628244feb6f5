import type { Plan } from '../../journal/plan.js'

/** Which profiles have a parameter is part of the parameter's record. */

export function link(plan: Plan, parameterId: number, profileIds: readonly number[]): void {
  const { profiles } = plan.data.get('parameters', parameterId)!
  const added = profileIds.filter((id) => !profiles.includes(id))
  if (added.length > 0) setLinks(plan, parameterId, [...profiles, ...added])
}

export function unlink(plan: Plan, parameterId: number, profileIds: readonly number[]): void {
  const { profiles } = plan.data.get('parameters', parameterId)!
  const kept = profiles.filter((id) => !profileIds.includes(id))
  if (kept.length < profiles.length) setLinks(plan, parameterId, kept)
}

function setLinks(plan: Plan, parameterId: number, profiles: readonly number[]): void {
  plan.update('parameters', parameterId, { profiles: [...new Set(profiles)].sort((a, b) => a - b) })
}
