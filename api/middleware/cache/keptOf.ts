import type { CacheableResult, Result } from '../../operations/endpoint.js'
import type { bytesOf } from '../answerBytes.js'
import type { CachedResponse } from './kept.js'

/** A body as it is kept. */
export function ofBody(
  { headers = {} }: Result,
  { dependencies, readAt, artifact }: NonNullable<CacheableResult['kept']>,
  { bytes, contentType, etag }: Awaited<ReturnType<typeof bytesOf>>,
): CachedResponse {
  return {
    dependencies,
    validAt: readAt,
    etag,
    contentType,
    length: bytes.length,
    headers,
    bytes,
    artifact: artifact ?? null,
    wires: {},
  }
}

/** A compiled file as it is kept: its bytes are where files are. */
export const ofArtifact = ({
  artifact,
  dependencies,
  readAt,
  fileName,
}: NonNullable<CacheableResult['compiled']>): CachedResponse => ({
  dependencies,
  validAt: readAt,
  etag: artifact.etag,
  contentType: artifact.contentType,
  length: artifact.length,
  headers: { 'content-disposition': `attachment; filename="${fileName.replace(/[^A-Za-z0-9._-]/g, '_')}"` },
  bytes: null,
  artifact,
  wires: {},
})
