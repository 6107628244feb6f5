import type { CompileContext, Scope } from './defineFile.js'

/** Who a file was generated for and by what; the partials `header*` lay it out (config-files.md §3). */
export interface Header {
  readonly name: string
  readonly tool: string
  readonly url: string
}

/** Makes the header of one file, from the data it is compiled from. */
export type HeaderOf = (
  scope: Scope,
  context: Pick<CompileContext, 'data' | 'serviceUrl' | 'subject' | 'warn'>,
) => Header
