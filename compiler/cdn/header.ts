import type { CompileContext, Scope } from '../core/defineFile.js'
import type { Header } from '../core/header.js'
import { globalValue } from './parameters.js'
import { oneLine } from './text.js'

export function headerOf(
  scope: Scope,
  { data, serviceUrl, subject, warn }: Pick<CompileContext, 'data' | 'serviceUrl' | 'subject' | 'warn'>,
): Header {
  const name = 'hostName' in subject ? subject.hostName : subject.name
  const clean = (text: string): string => {
    const cleaned = oneLine(text)
    if (cleaned !== text) {
      warn(
        'text-cleaned',
        { kind: scope, id: subject.id, name: oneLine(name) },
        'The header of the file would have had a line break.',
      )
    }
    return cleaned
  }
  return {
    name: clean(name),
    tool: clean(globalValue(data, 'tm.toolname') ?? 'Edgewright'),
    url: clean(globalValue(data, 'tm.url') ?? serviceUrl),
  }
}
