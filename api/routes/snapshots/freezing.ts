import { Type } from '@sinclair/typebox'
import type { Alert } from '../../config/errors.js'
import { conflict, forbidden, noSuch } from '../../config/errors.js'
import { inSlices } from '../../flow/slices.js'
import type { Transaction } from '../../journal/transaction.js'
import { asAlerts } from '../../operations/check/finding.js'
import { routerFindings } from '../../operations/check/routerFindings.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery, flagQuery } from '../../operations/queryParameters.js'
import { compiledForFreezing } from '../../operations/snapshots/compiled.js'
import { cdnNamed, isActive, newestVersion, versionNamed } from '../../operations/snapshots/find.js'
import { changesSince, freeze, sweep } from '../../operations/snapshots/freeze.js'
import type { Version } from '../../operations/snapshots/frozenVersions.js'
import { asWarning } from '../../operations/snapshots/results.js'
import { originOf } from '../../operations/snapshots/stamp.js'
import type { Data } from '../../schema/data.js'
import { asId } from '../../schema/data.js'
import { isRootAdmin } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'

type Uses = Pick<
  Parts,
  'artifacts' | 'compileTogether' | 'data' | 'failed' | 'log' | 'now' | 'settings' | 'versions' | 'workingSet'
>

type Writing = Uses & Pick<Calling, 'committer'>

const freezeQuery = {
  ...dryRunQuery,
  force: flagQuery('Also when there are faults that would harm them; administrators of the root tenant only.'),
}

/** Making versions of the documents, and taking them away. */
export const freezing = (uses: Uses): readonly Endpoint[] => [
  freezes(uses, '/snapshot/:name'),
  freezes(uses, '/cdns/:id/snapshot'),
  {
    method: 'GET',
    path: '/tools/write_crconfig/:name',
    unversioned: true,
    changes: true,
    role: 'oper',
    reach: 'cdn',
    summary: "The same as the field's older scripts ask for it; it leads to the document that routers get",
    query: freezeQuery,
    redirects: true,
    response: Type.Literal('SUCCESS'),
    live: async (input, { committer }) => {
      const done = await freezeNow(input, { ...uses, committer })
      if (isDryRun(input)) return done
      const location = `/CRConfig-Snapshots/${encodeURIComponent(input.params.name ?? '')}/CRConfig.json`
      return { ...done, status: 302, headers: { ...done.headers, location } }
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

const freezes = (uses: Uses, path: string): Endpoint => ({
  method: 'PUT',
  path,
  role: 'oper',
  reach: 'cdn',
  body: 'none',
  summary: 'Freeze the documents of a CDN as a new version and give it to routers and monitors',
  query: freezeQuery,
  response: Type.Literal('SUCCESS'),
  live: (input, { committer }) => freezeNow(input, { ...uses, committer }),
})

async function freezeNow(input: RequestInput, services: Writing): Promise<Result> {
  const { params, query, user } = input
  const cdn = params.name === undefined ? cdnWithId(services.data, params.id) : cdnNamed(services.data, params.name)
  const force = query.force === 'true'
  // What harms the machines of a CDN harms the services of all of its tenants.
  if (force && !isRootAdmin(user)) throw forbidden('Only administrators of the root tenant may force a snapshot.')
  if (isDryRun(input)) return tried(cdn, services)
  const asked = hostFor(input, cdn, services.data)
  const { version, committed, faults } = await freeze(cdn.id, { who: input, force, asked }, services)
  const warnings = [...faults.map(asWarning), ...(await refused(cdn, services))]
  const { isKnown, host } = originOf(services.data, services.settings, asked)
  if (!isKnown) {
    const text = `Neither PUBLIC_URL nor the global parameter tm.url is set; routers are told to find this service at ${host}.`
    warnings.push({ level: 'info', text })
  }
  return {
    response: 'SUCCESS',
    alerts: [success(`Snapshot version ${version.version} of ${cdn.name} is active.`), ...warnings],
    headers: { 'x-edgewright-revision': String(committed) },
  }
}

/** What the routers and caches would not take, although the documents can be made. */
const refused = async (cdn: Records['cdns'], { data, now }: Uses): Promise<Alert[]> =>
  asAlerts(await inSlices(routerFindings(data, cdn, now().getTime())), `/api/1.3/cdns/${cdn.name}/check`)

/**
 * Routers log in at the host that the document names, so only users of the root tenant say which, by asking there; for
 * others it stays what it was.
 */
const hostFor = ({ user, headers }: RequestInput, cdn: Records['cdns'], data: Data): string | null =>
  (user.ofRoot ? headers.host : newestVersion(data, cdn.id)?.host) ?? null

/** What a freeze would change and what stands against it, without freezing. */
async function tried(cdn: Records['cdns'], services: Uses): Promise<Result> {
  const cdnId = cdn.id
  const { revision, documents, faults } = await compiledForFreezing(cdnId, services)
  const changes = await changesSince(newestVersion(services.data, cdnId), documents, services)
  const notice: Alert = { level: 'info', text: 'Dry run: nothing was changed.' }
  const warnings = [...faults.map(asWarning), ...(await refused(cdn, services))]
  return { response: { revision, faults, changes }, alerts: [notice, ...warnings] }
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
