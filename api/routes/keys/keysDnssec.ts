import { Type } from '@sinclair/typebox'
import type { Alert } from '../../config/errors.js'
import { badRequest, noSuch, notFound, quoted } from '../../config/errors.js'
import { isHostName } from '../../config/hostNames.js'
import type { Transaction } from '../../journal/transaction.js'
import { isDryRun } from '../../operations/dryRun.js'
import type { Calling, Endpoint, RequestInput, Result, WriteEndpoint } from '../../operations/endpoint.js'
import type { ZoneKeys } from '../../operations/keys/dnssec.js'
import { KeysRefused, zoneOfDomain } from '../../operations/keys/dnssec.js'
import { presentDnssecKeys } from '../../operations/keys/dnssecPresent.js'
import { isTold, progressShape } from '../../operations/keys/dnssecProgress.js'
import { dnssecRequest, readDnssecRequest } from '../../operations/keys/dnssecRequest.js'
import { ownKeys } from '../../operations/keys/dnssecStored.js'
import type { Parts } from '../../operations/parts.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'
import { unkept, wroteAt } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'dnssec' | 'failed' | 'now' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

const dnssecKey = Type.Object({
  name: Type.String(),
  ttl: Type.Integer(),
  inceptionDate: Type.Integer(),
  expirationDate: Type.Integer(),
  effectiveDate: Type.Integer(),
  status: Type.String(),
  public: Type.String(),
  private: Type.String(),
})

const path = '/cdns/name/:name/dnsseckeys'

export const dnssecKeyEndpoints = (uses: Uses): readonly Endpoint[] => [
  generating(uses, '/deliveryservices/dnsseckeys/generate'),
  generating(uses, '/cdns/dnsseckeys/generate'),
  {
    method: 'GET',
    path,
    role: 'admin',
    reach: 'root',
    summary: 'The DNSSEC keys of a CDN and its delivery services',
    response: Type.Record(Type.String(), Type.Object({ zsk: Type.Array(dnssecKey), ksk: Type.Array(dnssecKey) })),
    reveals: 'private keys',
    live: (input) => read(input, uses),
  },
  {
    method: 'GET',
    path: `${path}/progress`,
    role: 'admin',
    reach: 'root',
    summary: 'How far the making of DNSSEC keys for a CDN is, or how it ended, at the instance that was asked for them',
    response: progressShape,
    live: async ({ params }) => ({
      response: uses.dnssec.progress(cdnNamed(uses.data, params.name).id),
      headers: unkept,
    }),
  },
  deleting(uses, 'GET', `${path}/delete`),
  deleting(uses, 'DELETE', `${path}/delete`),
  deleting(uses, 'DELETE', path),
]

function generating(uses: Uses, path: string): Endpoint {
  return {
    method: 'POST',
    path,
    role: 'admin',
    reach: 'root',
    summary:
      'Make new DNSSEC keys for a CDN and all of its delivery services; those there were become the previous set',
    body: dnssecRequest,
    response: Type.String(),
    live: (input, { committer }) => generate(input, { ...uses, committer }),
  }
}

async function generate(input: RequestInput, { data, dnssec, failed, now, committer }: Writing): Promise<Result> {
  const { body, user, requestId, version } = input
  if (isDryRun(input)) throw badRequest('There is no dry run of making DNSSEC keys.')
  const { key, name, terms } = readDnssecRequest(body, Math.floor(now().getTime() / 1000))
  const cdn = cdnNamed(data, key)
  if (!isHostName(cdn.domainName)) throw badRequest(`CDN ${cdn.name} has no domain that could be signed.`)
  if (zoneOfDomain(name) !== zoneOfDomain(cdn.domainName))
    throw badRequest(`'${quoted(name)}' is not the domain name of CDN ${cdn.name}; that is ${cdn.domainName}.`)
  const text = `Successfully created dnssec keys for ${cdn.name}`
  try {
    const made = dnssec.generate(cdn, terms, { user, requestId, committer })
    const generated = await Promise.race([made, patience()])
    if (generated === null) {
      made.catch((error: unknown) => {
        if (!isTold(error)) failed('dnssec', error)
      })
      return { response: text, alerts: [success(text), goesOn(cdn, dnssec.progress(cdn.id).zones)], extra: { version } }
    }
    const { revision, withoutZone } = generated
    const skipped = withoutZone.map((xmlId) => ({
      level: 'warning' as const,
      text: `Delivery service ${xmlId} has no host pattern below ${cdn.domainName}, so it has no zone and no keys.`,
    }))
    return { response: text, alerts: [success(text), ...skipped], extra: { version }, headers: wroteAt(revision) }
  } catch (error) {
    throw error instanceof KeysRefused ? badRequest(error.message) : error
  }
}

/** How long an answer waits for keys, in ms: a few are made in that, hundreds take minutes. */
const longest = 800

const patience = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), longest).unref())

/** Clients know the answer by its text, so that stays; what is not so yet is said beside it. */
const goesOn = ({ name }: Records['cdns'], zones: number): Alert => ({
  level: 'info',
  text: `The keys of ${zones} zones are still being made, and take the place of those there are all at once; GET /api/1.3/cdns/name/${name}/dnsseckeys/progress says how far that is.`,
})

async function read({ params, version }: RequestInput, { data, vault }: Pick<Uses, 'data' | 'vault'>): Promise<Result> {
  const cdn = cdnNamed(data, params.name)
  const own = ownKeys(data, cdn.id)
  if (!own) {
    const text = `- Dnssec keys for ${cdn.name} could not be found.`
    return { response: {}, alerts: [success(text)], headers: unkept }
  }
  const opened = ({ sealed }: { sealed: string }) => JSON.parse(vault.unseal(sealed)) as ZoneKeys
  const keys = new Map([[cdn.name, opened(own)]])
  for (const { xmlId, id } of ownServices(data, cdn)) {
    const stored = findOne(data, 'dnssecKeys', 'deliveryServiceId', id)
    if (stored?.cdnId === cdn.id && !keys.has(xmlId)) keys.set(xmlId, opened(stored))
  }
  const shape = presentDnssecKeys[version === '1.3' ? '1.3' : '1.1']
  return { response: shape(keys), extra: { version }, headers: unkept }
}

function deleting(uses: Uses, method: 'GET' | 'DELETE', path: string): WriteEndpoint {
  return {
    method,
    path,
    changes: method === 'GET',
    role: 'admin',
    reach: 'root',
    summary: 'Delete the DNSSEC keys of a CDN and its delivery services',
    body: 'none',
    response: Type.String(),
    write: (input, transaction) => removeKeys(input, transaction, uses),
  }
}

function removeKeys(input: RequestInput, transaction: Transaction, { dnssec }: Uses): Result {
  const cdn = cdnNamed(transaction.data, input.params.name)
  const stored = transaction.data.ids('dnssecKeys', 'cdnId', cdn.id)
  const areMade = dnssec.progress(cdn.id).state === 'making'
  if (stored.length === 0 && !areMade) throw notFound(`Dnssec keys for ${cdn.name} could not be found.`)
  for (const id of [...stored]) transaction.remove('dnssecKeys', id)
  // Those would be there after all, once they are made.
  if (areMade && !isDryRun(input)) dnssec.giveUp(cdn)
  transaction.log(`Deleted DNSSEC keys for CDN ${cdn.name}`)
  const text = `Successfully deleted dnssec keys for ${cdn.name}`
  return { response: text, alerts: [success(text)] }
}

function cdnNamed(data: Data, name: string | undefined): Records['cdns'] {
  const cdn = findOne(data, 'cdns', 'name', name ?? '')
  if (!cdn) throw noSuch('cdn', name ?? '')
  return cdn
}

const ownServices = (data: Data, { id }: Records['cdns']) =>
  data.by('deliveryServices', 'cdnId', id).toSorted((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
