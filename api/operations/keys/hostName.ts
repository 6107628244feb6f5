/** Whether a name of a certificate is good for a host: the same, or `*.` in place of the host's first label. */
export function covers(name: string, host: string): boolean {
  const [pattern, asked] = [name.toLowerCase(), host.toLowerCase()]
  if (pattern === asked) return true
  return pattern.startsWith('*.') && asked.includes('.') && pattern.slice(1) === asked.slice(asked.indexOf('.'))
}

/** A host name, or one with `*` for its first label, as certificates name them; at least two labels. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(text)
