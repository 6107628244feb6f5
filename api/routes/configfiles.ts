import { Type } from '@sinclair/typebox'
import type { CompileJob } from '../../compiler/core/compile.js'
import type { Scope } from '../../compiler/core/defineFile.js'
import { scopeOf } from '../../compiler/core/registry.js'
import { isFileName, listing } from '../../compiler/listing/listing.js'
import { noSuch, notFound } from '../config/errors.js'
import { serviceUrl } from '../config/serviceUrl.js'
import type { CacheableResult, Endpoint, RequestInput } from '../operations/endpoint.js'
import { compileWarnings, explain, explanation } from '../operations/explain.js'
import type { Parts } from '../operations/parts.js'
import { flagQuery } from '../operations/queryParameters.js'
import { mustReachPlaces, mustReachSecure } from '../records/kinds/parameterSecrecy.js'
import type { Data } from '../schema/data.js'
import { asReader, findOne, subjectOf } from '../schema/data.js'
import type { Caller } from '../schema/privileges.js'
import { mustReachTenant } from '../schema/privileges.js'

type Uses = Pick<Parts, 'artifacts' | 'compileBasis' | 'data' | 'reading' | 'registry' | 'settings' | 'workingSet'>

/** Existing cache agents ask for `ats`; interface.md says `cachesw`. */
const segments = ['cachesw', 'ats'] as const
const labels = { servers: 'server', profiles: 'profile', cdns: 'cdn' } as const

const files = Type.Object({
  info: Type.Object({
    profileId: Type.Integer(),
    profileName: Type.String(),
    serverName: Type.String(),
    serverId: Type.Integer(),
    cdnId: Type.Integer(),
    cdnName: Type.String(),
  }),
  configFiles: Type.Array(
    Type.Object({
      fnameOnDisk: Type.String(),
      location: Type.String(),
      apiUri: Type.Optional(Type.String()),
      scope: Type.Optional(Type.String()),
    }),
  ),
})

export const configFileEndpoints = (uses: Uses): readonly Endpoint[] =>
  segments.flatMap((segment) => [
    {
      method: 'GET',
      path: `/servers/:id/configfiles/${segment}`,
      role: 'agent',
      reach: 'cdn',
      reads: 'model',
      document: files,
      summary: 'The config files of a cache server: where they belong and where they are fetched',
      read: ({ params, user, version }, data) => {
        const id = subjectId('servers', params.id, data)
        mustReachPlaces(data.get('servers', id), user, data)
        return { bare: listing(asReader(data), id, version, serviceUrl(uses.settings)) }
      },
    } satisfies Endpoint,
    ...(['servers', 'profiles', 'cdns'] as const).map(
      (scope) =>
        ({
          method: 'GET',
          path: `/${scope}/:id/configfiles/${segment}/:file`,
          role: 'agent',
          reach: 'cdn',
          produces: 'text/plain',
          response: Type.Union([explanation, compileWarnings]),
          summary: `A config file of a ${labels[scope]}, compiled; with explain=true, why it is as it is`,
          query: {
            explain: flagQuery('The records the file was made from, its warnings, revision and compile time, as JSON.'),
            warnings: flagQuery('Only its warnings and how long its compile took, as JSON.'),
          },
          keeps: (input) => download(scope, input, uses),
        }) satisfies Endpoint,
    ),
  ])

/** The order of checks is the interface's: the subject of a server route first, then the scope, then other subjects. */
async function download(scope: Scope, { params, query, user }: RequestInput, services: Uses): Promise<CacheableResult> {
  const { data, dependencies, readAt } = services.reading()
  const file = params.file ?? ''
  const job = findJob(scope, params.id ?? '', file, data, services)
  mustReachKeys(file, user, data, services)
  const artifact = await services.artifacts.get(job)
  mustReachSecure(artifact, user, data)
  if (query.explain === 'true') return { response: await explain(job, services) }
  if (query.warnings === 'true') {
    const { milliseconds, warnings } = artifact
    return {
      response: { compileMilliseconds: milliseconds, warnings },
      kept: { dependencies: dependencies(), readAt, artifact },
    }
  }
  return { compiled: { artifact, dependencies: dependencies(), readAt, fileName: file } }
}

function findJob(scope: Scope, subject: string, file: string, data: Data, { registry }: Uses): CompileJob {
  const server = scope === 'servers' ? data.get('servers', subjectId(scope, subject, data)) : null
  const resolved = isFileName(file) ? registry.resolve(file) : null
  if (!resolved) throw notFound(`There is no config file of this name.`)
  if (
    !resolved.definition.views[scope] ||
    (!resolved.listed && scopeOf(resolved, file, '', asReader(data)) !== scope)
  ) {
    throw wrongScope(scopeOf(resolved, file, '', asReader(data)))
  }
  const type = server ? (data.get('types', server.typeId)?.name ?? '') : ''
  const listed = scopeOf(resolved, file, type, asReader(data))
  // A file with two scopes by server type is the profile's for edges and the server's for mids.
  if (scope === 'servers' && listed !== scope) throw wrongScope(listed)
  return { file, scope, subjectId: server?.id ?? subjectId(scope, subject, data) }
}

/** Read on the recording data: who loses a delivery service's tenant loses what is kept of its keys. */
function mustReachKeys(file: string, user: Caller, data: Data, { registry }: Uses): void {
  const resolved = registry.resolve(file)
  const xmlId = resolved?.parts[resolved.definition.keysOf ?? '']
  const service = xmlId === undefined ? undefined : findOne(data, 'deliveryServices', 'xmlId', xmlId)
  if (service) mustReachTenant(data, user, service.tenantId)
}

const wrongScope = (scope: Scope) =>
  notFound(`Error - incorrect file scope for route used.  Please use the ${scope} route.`)

function subjectId(scope: Scope, given: string | undefined, data: Data): number {
  const id = subjectOf(scope, given, data)
  if (id === null) throw noSuch(labels[scope], given ?? '')
  return id
}
