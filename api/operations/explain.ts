import { performance } from 'node:perf_hooks'
import { Type } from '@sinclair/typebox'
import type { CompileJob } from '../../compiler/core/compile.js'
import { compile } from '../../compiler/core/compile.js'
import { warningCodes } from '../../compiler/core/warnings.js'
import type { Data, Kind } from '../schema/data.js'
import { named } from '../schema/schemaNames.js'
import type { Parts } from './parts.js'

type Uses = Pick<Parts, 'artifacts' | 'workingSet' | 'compileBasis' | 'data'>

const subject = Type.Union([Type.String(), Type.Integer()])

/** What `explain` answers. */
export const explanation = named(
  'Explanation',
  Type.Object({
    file: Type.String(),
    scope: Type.String(),
    subject,
    revision: Type.Integer({ description: 'Of the data that was asked.' }),
    compiledAt: Type.Integer({ description: 'The revision the file was compiled at.' }),
    etag: Type.String(),
    bytes: Type.Integer(),
    compileMilliseconds: Type.Number(),
    explainMilliseconds: Type.Number(),
    templates: Type.Array(Type.String()),
    newestRecord: Type.Integer({ description: 'The latest revision that wrote one of the records.' }),
    records: Type.Array(
      named(
        'ExplainedRecord',
        Type.Object({ kind: Type.String(), id: Type.Integer(), name: subject, revision: Type.Integer() }),
      ),
      { description: 'Every record the file was made from, with the revision that wrote it last.' },
    ),
    absent: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'What was asked for and is not there: it would change the file if it came to be.',
    }),
    warnings: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  }),
)

/** What is asked of many files. */
export const compileWarnings = named('CompileWarnings', Type.Pick(explanation, ['compileMilliseconds', 'warnings']))

/**
 * Why a file is as it is: every record it was made from with the revision that wrote it last, every question that
 * found nothing (what would change the file if it came to be), the warnings, and what the cache knows.
 */
export async function explain(job: CompileJob, services: Uses): Promise<object> {
  const { artifacts, workingSet, compileBasis, data } = services
  const artifact = await artifacts.get(job)
  const start = performance.now()
  const { fragments: _, ...basis } = compileBasis()
  const { questions, warnings, templates, text } = compile(job, basis, { explain: true })
  const explained = performance.now() - start

  const records = new Map<string, object>()
  const absent: object[] = []
  for (const { kind, ask, index, key, found } of questions) {
    if (found.length === 0 && ask !== 'all') absent.push({ kind, ...(index ? { index } : {}), key })
    if (ask === 'ids' || ask === 'has') continue
    for (const id of found) {
      records.set(`${kind}/${id}`, {
        kind,
        id,
        name: nameOf(kind, id, data),
        revision: workingSet.revisionOf(kind, id),
      })
    }
  }
  return {
    file: job.file,
    scope: job.scope,
    subject: nameOf(job.scope, job.subjectId, data),
    revision: workingSet.revision,
    compiledAt: artifact.revision,
    etag: artifact.etag,
    bytes: Buffer.byteLength(text),
    compileMilliseconds: Math.round(artifact.milliseconds * 1000) / 1000,
    explainMilliseconds: Math.round(explained * 1000) / 1000,
    templates,
    newestRecord: Math.max(0, ...[...records.values()].map((record) => (record as { revision: number }).revision)),
    records: [...records.values()],
    absent,
    warnings: warnings.map((warning) => ({ ...warning, meaning: warningCodes[warning.code] })),
  }
}

/** How people call a record. */
function nameOf(kind: string, id: number, data: Data): string | number {
  const row = data.get(kind as Kind, id) as Record<string, unknown> | undefined
  const key = data.keyOf(kind)
  if (!row) return id
  if (key) return row[key] as string
  if (kind === 'parameters') return `${row.name} (${row.configFile})`
  if (kind === 'deliveryServiceServers') return `services of ${nameOf('servers', id, data)}`
  if ('pattern' in row) return row.pattern as string
  if ('assetUrl' in row) return row.assetUrl as string
  return id
}
