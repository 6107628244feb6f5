/** Whether a name of a certificate is good for a host: the same, or `*.` in place of the host's first label. */
export function covers(name: string, host: string): boolean {
  const [pattern, input] = [name.toLowerCase(), host.toLowerCase()]
  if (pattern === input) return true
  return pattern.startsWith('*.') && input.includes('.') && pattern.slice(1) === input.slice(input.indexOf('.'))
}
