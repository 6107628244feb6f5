import { union } from '../compiler/cells.js'
import { recorder } from '../compiler/readSet.js'
import { bodyOf, type Reply, replyOf } from './answerBody.js'
import type { Answers, KeptAnswer } from './answers.js'
import type { Data } from './data.js'
import type { Answer, Asked, Keepable, KeptEndpoint, ReadEndpoint } from './endpoint.js'
import { etagOf } from './entityTag.js'
import type { Services } from './services.js'

/** A GET whose answer can be kept. */
export interface Keeping {
  readonly endpoint: ReadEndpoint | KeptEndpoint
  /** The caller in it is the one that `key` names. */
  readonly asked: Asked
  readonly key: string
  /** What is read to permit it; throws when it is not permitted any more. */
  readonly permit: () => Uint32Array
}

/** Makes the answers of GETs and keeps them, each with everything that it, and the right to it, rests on. */
export function createKeeper({
  services,
  answers,
}: {
  services: Services
  answers: Answers
}): (keeping: Keeping) => Promise<KeptAnswer | Reply> {
  const { workingSet } = services

  return async ({ endpoint, asked, key, permit }) => {
    const made = await ('read' in endpoint ? read(endpoint, asked) : endpoint.keeps(asked, services))
    if (made.compiled) return keep(key, ofArtifact(made.compiled), permit())
    if (!made.kept || (made.status ?? 200) !== 200) return replyOf(made)
    return keep(key, ofBody(made, made.kept), permit())
  }

  function read(endpoint: ReadEndpoint, asked: Asked): Keepable {
    const { memos, ...tools } = services.compileBasis()
    const how = endpoint.reads === 'model' ? { grain: 'seen' as const, memos, tools } : { grain: 'full' as const }
    const { data, cells } = recorder<Data>(workingSet, how)
    const answer = endpoint.read(asked, Object.assign(data, { keyOf: services.catalogue.keyOf }))
    return { ...answer, kept: { cells: cells(), readAt: workingSet.revision } }
  }

  /** What permits it was read after the answer's own data: if that moves, or has moved since, the answer is stale. */
  function keep(key: string, answer: KeptAnswer, permitting: Uint32Array): KeptAnswer {
    const cells = permitting.length === 0 ? answer.cells : union(permitting, answer.cells)
    const kept: KeptAnswer = { ...answer, cells }
    answers.set(key, kept)
    return kept
  }
}

function ofBody(answer: Answer, { cells, readAt, etag, artifact }: NonNullable<Keepable['kept']>): KeptAnswer {
  const { body, contentType } = bodyOf(answer)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    cells,
    validAt: readAt,
    etag: etag ?? etagOf(bytes),
    contentType,
    length: bytes.length,
    headers: answer.headers ?? {},
    bytes,
    artifact: artifact ?? null,
    wires: {},
  }
}

const ofArtifact = ({ artifact, cells, readAt, fileName }: NonNullable<Keepable['compiled']>): KeptAnswer => ({
  cells,
  validAt: readAt,
  etag: artifact.etag,
  contentType: artifact.contentType,
  length: artifact.length,
  headers: { 'content-disposition': `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, '_')}"` },
  bytes: null,
  artifact,
  wires: {},
})
