/** Whether a name of a certificate is good for a host: the same, or `*.` in place of the host's first label. */
export function covers(name: string, host: string): boolean {
  const [pattern, input] = [name.toLowerCase(), host.toLowerCase()]
  if (pattern === input) return true
  return pattern.startsWith('*.') && input.includes('.') && pattern.slice(1) === input.slice(input.indexOf('.'))
}

/** A host name, or one with `*` for its first label, as certificates name them; at least two labels. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(text)
