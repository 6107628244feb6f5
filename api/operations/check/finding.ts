import { Type } from '@sinclair/typebox'
import type { Alert } from '../../config/errors.js'

/** Something that keeps a CDN from serving, or may, and what is to be done about it. */
export interface Finding {
  readonly code: string
  /** `error`: clients are not served; `warning`: some of them, or not for long, or it cannot be known. */
  readonly level: 'error' | 'warning'
  /** The record to look at. */
  readonly record: { readonly kind: string; readonly id: number; readonly name: string }
  readonly text: string
  /** What to do. */
  readonly fix: string
}

/** The shape of it, for OpenAPI. */
export const findingShape = Type.Object({
  code: Type.String(),
  level: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  record: Type.Object({ kind: Type.String(), id: Type.Integer(), name: Type.String() }),
  text: Type.String(),
  fix: Type.String(),
})

const mostTold = 20

/** Findings beside an answer that is about something else: the first of them, and how many more there are. */
export function asAlerts(findings: readonly Finding[], where: string): Alert[] {
  const told = findings
    .slice(0, mostTold)
    .map(({ code, text, fix }): Alert => ({ level: 'warning', text: `${code}: ${text} ${fix}` }))
  const more = findings.length - told.length
  return more > 0 ? [...told, { level: 'warning', text: `${more} more are listed by GET ${where}.` }] : told
}
