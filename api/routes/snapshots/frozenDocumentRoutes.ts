import { Type } from '@sinclair/typebox'
import { notFound } from '../../config/errors.js'
import type { CacheableResult, Endpoint, RequestInput } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { choiceQuery, numberQuery, textQuery } from '../../operations/queryParameters.js'
import { compare, documentIn } from '../../operations/snapshots/compare.js'
import { cdnNamed, dateOf, versionNamed } from '../../operations/snapshots/find.js'
import { frozenAnswer } from '../../operations/snapshots/results.js'
import { crConfigShape, diffShape, monitoringShape } from '../../operations/snapshots/shapes.js'

type Uses = Pick<Parts, 'artifacts' | 'reading' | 'versions'>

const document = choiceQuery(['CRConfig', 'monitoring'], 'Which document; default CRConfig.')

/** The documents as they were frozen: of the active version, of any, and how two versions differ. */
export const frozenDocumentRoutes = (uses: Uses): readonly Endpoint[] => [
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
  differences(uses),
  ofVersion(uses),
]

const differences = (uses: Uses): Endpoint => ({
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
})

const ofVersion = (uses: Uses): Endpoint => ({
  method: 'GET',
  path: '/cdns/:name/snapshots/:version',
  role: 'any',
  reach: 'cdn',
  summary: 'A frozen document of a version',
  query: { document },
  response: Type.Union([crConfigShape, monitoringShape]),
  keeps: async ({ params, query }) => {
    const name = documentIn(query.document)
    const { data, dependencies, readAt } = uses.reading()
    const version = versionNamed(data, cdnNamed(data, params.name), params.version)
    const date = dateOf(data, version)
    return frozenAnswer({ version, name, date }, { dependencies: dependencies(), readAt }, uses)
  },
})

async function activeDocument({ params }: RequestInput, services: Uses, envelope: boolean): Promise<CacheableResult> {
  const { data, dependencies, readAt } = services.reading()
  const cdn = cdnNamed(data, params.name)
  const active = data.get('activeSnapshots', cdn.id)
  const version = data.get('snapshots', active?.snapshotId ?? null)
  if (active && version) {
    const found = { dependencies: dependencies(), readAt }
    return frozenAnswer({ version, name: 'CRConfig', date: active.date }, found, services, { envelope })
  }
  // A monitor that is given an empty document takes it for the real one; told that there is none, it asks again.
  if (!envelope) throw notFound(`There is no snapshot of ${cdn.name} yet.`)
  return { response: {}, kept: { dependencies: dependencies(), readAt } }
}
