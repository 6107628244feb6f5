import type { Answers, Row } from './answers.js'
import { rowsOf } from './answers.js'

/** How the field's API says which records belong together, as the records that say so here. */

/** The parameters of all profiles, each once, with the profiles that have it. */
export class Parameters {
  readonly #byContent = new Map<string, { row: Row; profiles: Set<string> }>()
  readonly #byId = new Map<unknown, Set<string>>()

  addAll(rows: readonly Row[]): void {
    for (const row of rows) this.#add(row, Array.isArray(row.profiles) ? row.profiles.map(String) : [])
  }

  /** A profile with its parameters within. */
  ofProfile({ name, params }: Row): void {
    if (Array.isArray(params)) for (const row of params) this.#add(row, [String(name)])
  }

  /** A document of one profile: the profile as a record. */
  ofDocument({ profile, parameters }: { readonly profile: Row; readonly parameters: readonly Row[] }): Row {
    const { cdn, ...rest } = profile
    this.ofProfile({ name: profile.name, params: parameters })
    return { ...rest, ...(typeof cdn === 'string' ? { cdnName: cdn } : {}) }
  }

  /** A line of `profileparameters`, after the parameters it names. */
  link({ profile, parameterId, parameter }: Row): void {
    this.#byId.get(parameterId ?? parameter)?.add(String(profile))
  }

  rows(): Row[] {
    return [...this.#byContent.values()].map(({ row, profiles }) => ({ ...row, profiles: [...profiles] }))
  }

  #add(row: Row, profiles: readonly string[]): void {
    const { profiles: _, config_file, ...rest } = row
    const given: Row = { configFile: config_file, ...rest, value: row.value ?? '' }
    const content = JSON.stringify([given.name, given.configFile, given.value])
    const known = this.#byContent.get(content) ?? { row: given, profiles: new Set() }
    // Lists say more of a parameter than profiles do.
    this.#byContent.set(content, { ...known, row: { ...given, ...known.row } })
    for (const profile of profiles) known.profiles.add(profile)
    if (given.id !== undefined) this.#byId.set(given.id, known.profiles)
  }
}

/** The patterns of delivery services: of the list that is for them, else those that a delivery service shows itself. */
export function regexesOf(services: readonly Row[], lists: readonly Row[]): Row[] {
  const listed = new Set(lists.map(({ dsName }) => dsName))
  const shown = services.flatMap(({ xmlId, matchList }) =>
    listed.has(xmlId) || !Array.isArray(matchList) ? [] : [{ dsName: xmlId, regexes: matchList as readonly Row[] }],
  )
  return [...lists, ...shown].flatMap(({ dsName, regexes }) =>
    (Array.isArray(regexes) ? regexes : []).map(({ type, pattern, setNumber }: Row) => ({
      deliveryService: dsName,
      typeName: type,
      pattern,
      setNumber,
    })),
  )
}

/** Pairs of a server and a delivery service, as the delivery services of each server. */
export function linksOf(pairs: readonly Row[]): Row[] {
  const carried = new Map<unknown, Set<unknown>>()
  for (const { server, deliveryService } of pairs)
    carried.set(server, (carried.get(server) ?? new Set()).add(deliveryService))
  return [...carried].map(([server, services]) => ({
    ...(typeof server === 'string' ? { server } : { id: server }),
    deliveryServices: [...services],
  }))
}

/** A cache group shows its backups by name, in order. */
export const fallbacksOf = (groups: readonly Row[]): Row[] =>
  groups.flatMap(({ name, fallbacks }) =>
    (Array.isArray(fallbacks) ? fallbacks : []).map((fallback, at) => ({
      cacheGroupName: name,
      fallbackName: fallback,
      fallbackOrder: at + 1,
    })),
  )

/** Federations: `cdns/NAME/federations`, and what `federations/ID/federation_resolvers` and `…/users` say of each. */
export function federationsOf(answers: Answers): Row[] {
  const named = (id: unknown, what: string, key: string) =>
    rowsOf(answers.get(`federations/${id}/${what}`)).map((row) => row[key])
  const services = new Map<unknown, { row: Row; xmlIds: unknown[] }>()
  for (const [path, answer] of answers) {
    if (!/^cdns\/[^/]+\/federations$/.test(path)) continue
    for (const { deliveryService, ...row } of rowsOf(answer)) {
      const known = services.get(row.id) ?? { row, xmlIds: [] }
      const { xmlId } = (deliveryService ?? {}) as Row
      if (xmlId !== undefined) known.xmlIds.push(xmlId)
      services.set(row.id, known)
    }
  }
  return [...services].map(([id, { row, xmlIds }]) => ({
    ...row,
    xmlIds,
    ipAddresses: named(id, 'federation_resolvers', 'ipAddress'),
    usernames: named(id, 'users', 'username'),
  }))
}
