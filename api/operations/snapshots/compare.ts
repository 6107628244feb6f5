import type { DocumentDiff } from '../../../compiler/snapshots/diff.js'
import { diffDocuments } from '../../../compiler/snapshots/diff.js'
import { badRequest } from '../../config/errors.js'
import { inSlices } from '../../flow/slices.js'
import type { CacheableResult, RequestInput } from '../endpoint.js'
import type { Parts } from '../parts.js'
import { compiled } from './compiled.js'
import { differing } from './differing.js'
import { cdnNamed, versionNamed } from './find.js'
import type { DocumentName } from './packs.js'
import { documentNames } from './packs.js'

type Uses = Pick<Parts, 'reading' | 'versions' | 'artifacts'>

const usualPage = 100
const largestPage = 1000

/** What differs between two versions of a document, counted by section and told page by page. */
export async function compare({ params, query }: RequestInput, services: Uses): Promise<CacheableResult> {
  const name = documentIn(query.document)
  const offset = whole('offset', query.offset, 0, Number.MAX_SAFE_INTEGER)
  const limit = whole('limit', query.limit, usualPage, largestPage)
  const { data, dependencies, readAt } = services.reading()
  const cdn = cdnNamed(data, params.name)
  const side = async (wanted: string) => {
    if (wanted === 'live') {
      const { artifact, bytes } = await compiled(name, cdn.id, services)
      return { is: { version: null, live: true, revision: artifact.revision }, bytes, artifact }
    }
    const version = versionNamed(data, cdn, wanted)
    const bytes = await services.versions.document(version, name)
    return { is: { version: version.version, live: false, revision: version.revision }, bytes, artifact: null }
  }
  const [before, after] = await Promise.all([side(query.from ?? 'active'), side(query.to ?? 'live')])
  const section = query.section ? { section: query.section } : {}
  const diff = await inSlices(compared(before.bytes, after.bytes, { ...section, offset, limit }))
  const artifact = before.artifact ?? after.artifact
  return {
    response: { document: name, from: before.is, to: after.is, ...diff },
    kept: { dependencies: dependencies(), readAt, ...(artifact ? { artifact } : {}) },
  }
}

/** How one version of a document differs from another, in steps. */
export function* compared(
  before: Uint8Array,
  after: Uint8Array,
  page: { section?: string; offset: number; limit: number },
): Generator<void, DocumentDiff> {
  return yield* diffDocuments(...(yield* differing(before, after)), page)
}

export function documentIn(name = 'CRConfig'): DocumentName {
  const found = documentNames.find((one) => one === name)
  if (!found) throw badRequest(`'document' must be one of ${documentNames.join(', ')}.`)
  return found
}

function whole(name: string, value: string | undefined, fallback: number, most: number): number {
  if (value === undefined || value === '') return fallback
  if (!/^\d{1,15}$/.test(value) || Number(value) > most) {
    throw badRequest(`'${name}' must be a whole number, at most ${most}.`)
  }
  return Number(value)
}
