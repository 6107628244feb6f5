import { serviceFiles } from '../../../compiler/cdn/serviceFiles.js'
import { isLocalLive, isMid, rewritesAtEdge, rewritesAtMid } from '../../../compiler/cdn/services.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { DeliveryService } from './deliveryServiceRules.js'
import { link, unlink } from './parameterLinks.js'

type Server = Records['servers']

/**
 * A cache fetches a delivery service's own files only when its profile has a `location` parameter for them. These
 * follow the delivery service and its assignments (config-files.md §1): put where the profile has its remap.config,
 * added for new carriers, taken away with the field, the delivery service, or the last carrier of a profile.
 */

/** Makes what is missing, and removes the parameters of files that the delivery service no longer has. */
export function syncLocations(transaction: Transaction, service: DeliveryService): void {
  const { data } = transaction
  for (const { file, needed, tier } of filesOf(service, data)) {
    if (!needed) for (const { id } of [...locations(data, file)]) drop(transaction, id)
    else addLocations(transaction, file, profilesFor(service, tier, data))
  }
}

/** Whether a needed file has no place anywhere, although there are caches that would fetch it. */
export const lacksLocations = (service: DeliveryService, data: Data): boolean =>
  filesOf(service, data).some(
    ({ file, needed, tier }) =>
      needed && locations(data, file).length === 0 && profilesFor(service, tier, data).length > 0,
  )

/** The places of the files that a delivery service has. */
export const neededLocations = (service: DeliveryService, data: Data): readonly number[] =>
  filesOf(service, data).flatMap(({ file, needed }) => (needed ? locations(data, file).map(({ id }) => id) : []))

function profilesFor(service: DeliveryService, tier: 'edge' | 'mid', data: Data): readonly number[] {
  if (tier === 'mid') return midProfiles(service, data)
  const carriers = data.ids('deliveryServiceServers', 'deliveryServices', service.id)
  return carriers.map((id) => data.get('servers', id)!.profileId)
}

/** A server of a profile came to carry delivery services. */
export function locateFor(transaction: Transaction, profileId: number, services: Iterable<number>): void {
  for (const id of services) {
    const service = transaction.data.get('deliveryServices', id)!
    for (const { file, needed, tier } of filesOf(service, transaction.data)) {
      if (needed && tier === 'edge') addLocations(transaction, file, [profileId])
    }
  }
}

/** A server is new, or its profile, type or CDN changed: its profile needs the files, the one it left may not. */
export function followServer(transaction: Transaction, before: Server | null, after: Server): void {
  const same = before?.profileId === after.profileId && before.typeId === after.typeId && before.cdnId === after.cdnId
  if (same) return
  const { data } = transaction
  const carried = data.get('deliveryServiceServers', after.id)?.deliveryServices ?? []
  locateFor(transaction, after.profileId, carried)
  if (isMid(data.get('types', after.typeId)?.name ?? '')) locateForMid(transaction, after.profileId, after.cdnId)
  if (before && before.profileId !== after.profileId) leaveLocations(transaction, before.profileId, carried)
}

function locateForMid(transaction: Transaction, profileId: number, cdnId: number): void {
  for (const service of transaction.data.by('deliveryServices', 'cdnId', cdnId)) {
    for (const { file, needed, tier } of filesOf(service, transaction.data)) {
      if (needed && tier === 'mid') addLocations(transaction, file, [profileId])
    }
  }
}

/** A server of a profile no longer carries delivery services: unless others of the profile do, their files go. */
export function leaveLocations(transaction: Transaction, profileId: number, services: Iterable<number>): void {
  const { data } = transaction
  for (const serviceId of services) {
    const placed = filesOf(data.get('deliveryServices', serviceId)!, data)
      .filter(({ tier }) => tier === 'edge')
      .flatMap(({ file }) => locations(data, file).filter(({ profiles }) => profiles.includes(profileId)))
    const carriers = placed.length === 0 ? [] : data.ids('deliveryServiceServers', 'deliveryServices', serviceId)
    if (carriers.some((id) => data.get('servers', id)?.profileId === profileId)) continue
    for (const { id } of placed) {
      unlink(transaction, id, [profileId])
      if (data.get('parameters', id)!.profiles.length === 0) drop(transaction, id)
    }
  }
}

export function removeLocations(transaction: Transaction, service: DeliveryService): void {
  for (const { file } of filesOf(service, transaction.data)) {
    for (const { id } of [...locations(transaction.data, file)]) drop(transaction, id)
  }
}

function filesOf(service: DeliveryService, data: Data) {
  const files = serviceFiles(service.xmlId)
  const type = data.get('types', service.typeId)?.name ?? ''
  return [
    { file: files.edgeRewrite, needed: rewritesAtEdge(service, type), tier: 'edge' },
    { file: files.midRewrite, needed: rewritesAtMid(service, type) && !isLocalLive(type), tier: 'mid' },
    { file: files.regexRemap, needed: service.regexRemap !== null, tier: 'edge' },
    { file: files.cacheurl, needed: service.cacheurl !== null, tier: 'edge' },
    { file: files.urlSig, needed: service.signingAlgorithm === 'url_sig', tier: 'edge' },
  ] as const
}

const locations = (data: Data, file: string) => data.by('parameters', 'nameFile', `location/${file}`)

function midProfiles({ cdnId }: DeliveryService, data: Data): number[] {
  return data
    .all('types')
    .filter(({ name, useInTable }) => useInTable === 'server' && isMid(name))
    .flatMap(({ id }) => data.by('servers', 'cdnType', `${cdnId}/${id}`))
    .map(({ profileId }) => profileId)
}

function addLocations(transaction: Transaction, file: string, profileIds: Iterable<number>): void {
  const { data } = transaction
  for (const profileId of new Set(profileIds)) {
    const placed = data.by('parameters', 'profileFile', `${profileId}/${file}`).some(({ name }) => name === 'location')
    const directory = placed ? null : directoryFor(profileId, data)
    if (directory === null) continue
    const key = JSON.stringify(['location', file, directory])
    const found = data.by('parameters', 'name+configFile+value', key).find(({ secure }) => !secure)
    if (found) link(transaction, found.id, [profileId])
    else {
      const values = { name: 'location', configFile: file, value: directory, secure: false, profiles: [profileId] }
      transaction.create('parameters', values)
    }
  }
}

/** Where the profile has its remap.config; else where the first profile of a CDN that has one has it, and not `ALL`. */
function directoryFor(profileId: number, data: Data): string | null {
  const own = data.by('parameters', 'profileFile', `${profileId}/remap.config`).find(({ name }) => name === 'location')
  const elsewhere = own ? [] : locations(data, 'remap.config')
  const all = findOne(data, 'cdns', 'name', 'ALL')?.id
  const isOfCdn = (id: number) => data.get('profiles', id)?.cdn !== all
  const found = own ?? elsewhere.find(({ profiles }) => profiles.some(isOfCdn)) ?? elsewhere[0]
  return found ? found.value.replace(/\/$/, '') : null
}

function drop(transaction: Transaction, parameterId: number): void {
  unlink(transaction, parameterId, transaction.data.get('parameters', parameterId)!.profiles)
  transaction.remove('parameters', parameterId)
}
