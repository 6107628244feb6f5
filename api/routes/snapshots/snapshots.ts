import { Type } from '@sinclair/typebox'
import type { Alert } from '../../config/errors.js'
import { conflict, forbidden, noSuch, notFound } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { CacheableResult, Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { choiceQuery, dryRunQuery, flagQuery, numberQuery, textQuery } from '../../operations/queryParameters.js'
import { compare, documentIn } from '../../operations/snapshots/compare.js'
import { compiledForFreezing } from '../../operations/snapshots/compiled.js'
import { cdnNamed, dateOf, isActive, newestVersion, versionNamed } from '../../operations/snapshots/find.js'
import { changesSince, freeze, sweep } from '../../operations/snapshots/freeze.js'
import type { Version } from '../../operations/snapshots/frozenVersions.js'
import { asWarning, frozenAnswer, liveAnswer } from '../../operations/snapshots/results.js'
import { crConfigShape, diffShape, monitoringShape, routingShape } from '../../operations/snapshots/shapes.js'
import { originOf } from '../../operations/snapshots/stamp.js'
import type { Data } from '../../schema/data.js'
import { asId } from '../../schema/data.js'
import { isRootAdmin } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'

type Uses = Pick<
  Parts,
  | 'failed'
  | 'artifacts'
  | 'compileTogether'
  | 'data'
  | 'log'
  | 'now'
  | 'reading'
  | 'settings'
  | 'versions'
  | 'workingSet'
>

type Writing = Uses & Pick<Calling, 'committer'>

const document = choiceQuery(['CRConfig', 'monitoring'], 'Which document; default CRConfig.')

/** The documents that routers and monitors run on: live, frozen, and how versions differ. */
export const snapshotEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/cdns/:name/configs/monitoring',
    role: 'any',
    reach: 'cdn',
    summary: 'What the monitors of a CDN poll and by which limits, live',
    response: monitoringShape,
    keeps: (input) => liveAnswer('monitoring', input, uses),
  },
  {
    method: 'GET',
    path: '/cdns/:name/configs/routing',
    role: 'any',
    reach: 'cdn',
    summary: 'The routing configuration of a CDN, live',
    response: routingShape,
    keeps: (input) => liveAnswer('routing', input, uses),
  },
  {
    method: 'GET',
    path: '/health/:name',
    unversioned: true,
    role: 'any',
    reach: 'cdn',
    summary: 'The monitoring configuration without an envelope, for older monitors',
    document: monitoringShape,
    keeps: (input) => liveAnswer('monitoring', input, uses, { envelope: false }),
  },
  {
    method: 'GET',
    path: '/cdns/:name/snapshot',
    role: 'any',
    reach: 'cdn',
    summary: 'The document routers and monitors run on: the active version; an empty object when there is none',
    response: Type.Partial(crConfigShape),
    keeps: (input) => activeDocument(input, uses, true),
  },
  {
    method: 'GET',
    path: '/CRConfig-Snapshots/:name/CRConfig',
    unversioned: true,
    role: 'any',
    reach: 'cdn',
    summary: 'The same without an envelope, where routers and monitors poll it',
    document: crConfigShape,
    keeps: (input) => activeDocument(input, uses, false),
  },
  {
    method: 'GET',
    path: '/cdns/:name/snapshot/new',
    role: 'any',
    reach: 'cdn',
    summary: 'The document as it would be if it were frozen now',
    response: crConfigShape,
    keeps: (input) => liveAnswer('CRConfig', input, uses),
  },
  ...(['/snapshot/:name', '/cdns/:id/snapshot'] as const).map(
    (path) =>
      ({
        method: 'PUT',
        path,
        role: 'oper',
        reach: 'cdn',
        lenientBody: 'json',
        body: 'none',
        summary: 'Freeze the documents of a CDN as a new version and give it to routers and monitors',
        query: {
          ...dryRunQuery,
          force: flagQuery('Also when there are faults that would harm them; administrators of the root tenant only.'),
        },
        response: Type.Literal('SUCCESS'),
        live: (input, { committer }) => freezeNow(input, { ...uses, committer }),
      }) satisfies Endpoint,
  ),
  {
    method: 'GET',
    path: '/cdns/:name/snapshots/diff',
    role: 'any',
    reach: 'cdn',
    summary: 'What differs between two versions, by section and entry',
    query: {
      from: textQuery('A version number, `active` or `live`; default `active`.'),
      to: textQuery('The same; default `live`.'),
      document,
      section: textQuery('Tell only the changes of this section; all are counted.'),
      offset: numberQuery('How many changes to pass over.'),
      limit: numberQuery('How many changes to tell; default 100.', { max: 1000 }),
    },
    response: diffShape,
    keeps: (input) => compare(input, uses),
  },
  {
    method: 'GET',
    path: '/cdns/:name/snapshots/:version',
    role: 'any',
    reach: 'cdn',
    summary: 'A frozen document of a version',
    query: { document },
    response: Type.Union([crConfigShape, monitoringShape]),
    keeps: async ({ params, query }) => {
      const name = documentIn(query.document)
      const { data, cells, readAt } = uses.reading()
      const version = versionNamed(data, cdnNamed(data, params.name), params.version)
      const date = dateOf(data, version)
      return frozenAnswer({ version, name, date }, { cells: cells(), readAt }, uses)
    },
  },
  {
    method: 'DELETE',
    path: '/cdns/:name/snapshots/:version',
    role: 'oper',
    reach: 'root',
    summary: 'Delete a frozen version that is not active',
    body: 'none',
    live: (input, { committer }) => deleteVersion(input, { ...uses, committer }),
  },
]

async function activeDocument({ params }: RequestInput, services: Uses, envelope: boolean): Promise<CacheableResult> {
  const { data, cells, readAt } = services.reading()
  const cdn = cdnNamed(data, params.name)
  const active = data.get('activeSnapshots', cdn.id)
  const version = data.get('snapshots', active?.snapshotId ?? null)
  if (active && version) {
    const found = { cells: cells(), readAt }
    return frozenAnswer({ version, name: 'CRConfig', date: active.date }, found, services, { envelope })
  }
  // A monitor that is given an empty document takes it for the real one; told that there is none, it asks again.
  if (!envelope) throw notFound(`There is no snapshot of ${cdn.name} yet.`)
  return { response: {}, kept: { cells: cells(), readAt } }
}

async function freezeNow(input: RequestInput, services: Writing): Promise<Result> {
  const { params, query, user } = input
  const cdn = params.name === undefined ? cdnWithId(services.data, params.id) : cdnNamed(services.data, params.name)
  const force = query.force === 'true'
  // What harms the machines of a CDN harms the services of all of its tenants.
  if (force && !isRootAdmin(user)) throw forbidden('Only administrators of the root tenant may force a snapshot.')
  if (isDryRun(input)) return tried(cdn.id, services)
  const { version, committed, faults } = await freeze(cdn.id, { who: input, force }, services)
  const warnings = faults.map(asWarning)
  const { isKnown, host } = originOf(services.data, services.settings)
  if (!isKnown) {
    const text = `The global parameter tm.url is not set; routers are told to find this service at ${host}.`
    warnings.push({ level: 'warning', text })
  }
  return {
    response: 'SUCCESS',
    alerts: [success(`Snapshot version ${version.version} of ${cdn.name} is active.`), ...warnings],
    headers: { 'x-edgewright-revision': String(committed) },
  }
}

/** What a freeze would change and what stands against it, without freezing. */
async function tried(cdnId: number, services: Uses): Promise<Result> {
  const { revision, documents, faults } = await compiledForFreezing(cdnId, services)
  const changes = await changesSince(newestVersion(services.data, cdnId), documents, services)
  const notice: Alert = { level: 'info', text: 'Dry run: nothing was changed.' }
  return { response: { revision, faults, changes }, alerts: [notice, ...faults.map(asWarning)] }
}

function cdnWithId(data: Data, given: string | undefined): Records['cdns'] {
  const cdn = data.get('cdns', asId(given))
  if (!cdn) throw noSuch('cdn', given ?? '')
  return cdn
}

async function deleteVersion(input: RequestInput, services: Writing): Promise<Result> {
  const { params } = input
  const decide = (transaction: Transaction): Result & { version: Version } => {
    const cdn = cdnNamed(transaction.data, params.name)
    const version = versionNamed(transaction.data, cdn, params.version)
    if (isActive(transaction.data, version))
      throw conflict(`Version ${version.version} is active; activate another one first.`)
    transaction.remove('snapshots', version.id)
    transaction.log(`Deleted snapshot version ${version.version} of cdn ${cdn.name}`)
    return { version, alerts: [success(`Snapshot version ${version.version} was deleted.`)] }
  }
  if (isDryRun(input)) return rehearsed(services.committer, input, atOnce(decide))
  const { value, revision } = await services.committer.write(input, decide)
  await sweep([value.version], services)
  return { alerts: value.alerts ?? [], headers: { 'x-edgewright-revision': String(revision) } }
}
