/** Rows in columns, for people. */
export function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const all = [head, ...rows.map((row) => row.map((cell) => cell ?? ''))]
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}
