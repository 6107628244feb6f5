import type { CompileContext } from '../core/defineFile.js'
import type { Warning } from '../core/warnings.js'

/**
 * Record text on its way into a config file. Whatever a record holds, it must never begin a line of its own:
 * only `__RETURN__` makes a new line, and only in the files whose rules say so (config-files.md §3).
 */

// The C1 controls and the two Unicode separators are line breaks to YAML and to some editors.
const breaks = /[\r\n\v\f\u0085\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g

/**
 * The value on one line: line breaks become one space, other control characters go; tabs stay.
 * `__RETURN__` counts as a line break, because the agent on the cache expands what is left of it in every file.
 */
export function oneLine(value: string): string {
  const text = withoutBreaks(value)
  return isMarked(text) ? splitAtMarks(text).join(' ') : text
}

/** The value as the lines that its `__RETURN__`s make; each eats the white space around it. No line holds a break. */
export function returnLines(value: string): readonly string[] {
  return splitAtMarks(withoutBreaks(value))
}

const mark = '__RETURN__'

// Controls go first: what they leave behind may be a break or a `__RETURN__`.
const withoutBreaks = (value: string): string => value.replace(controls, '').replace(breaks, ' ')

function splitAtMarks(text: string): string[] {
  const parts = text.split(mark)
  const last = parts.length - 1
  return parts.map((part, i) => {
    const start = i > 0 ? part.trimStart() : part
    return i < last ? start.trimEnd() : start
  })
}

/**
 * Whether the value is one word of printable ASCII without quotes, as host names, addresses and file names are, and
 * holds nothing that the agent would make a line of.
 */
export function isWord(value: string): boolean {
  return /^[!#-&(-~]+$/.test(value) && !isMarked(value)
}

/** Whether the value holds something that the agent would make a line of. */
export const isMarked = (value: string): boolean => value.includes(mark)

/** A YAML scalar in single quotes, on one line. */
export function yamlQuoted(value: string): string {
  return `'${oneLine(value).replaceAll("'", "''")}'`
}

export type RecordRef = Warning['record']

type Warns = Pick<CompileContext, 'warn'>

/** `oneLine`, warning when something had to be taken out. `what` names the field for people. */
export function cleaned({ warn }: Warns, record: RecordRef, what: string, value: string): string {
  const line = oneLine(value)
  if (line !== value) warn('text-cleaned', record, cleanedText(record, what))
  return line
}

/** `returnLines`, warning likewise. */
export function cleanedLines({ warn }: Warns, record: RecordRef, what: string, value: string): readonly string[] {
  if (withoutBreaks(value) !== value) warn('text-cleaned', record, cleanedText(record, what))
  return returnLines(value)
}

const cleanedText = (record: RecordRef, what: string) =>
  `${what} of ${record.name} held a line break or control character`
