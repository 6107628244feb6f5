/** A host name, or one with `*` for its first label, as certificates name them; at least two labels. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(text)

/** Why no DNS name can be so; `null` when one can. Underscores are no certificate's, but some names have them. */
export function unfitForDns(name: string): string | null {
  if (name.length > 253) return 'is longer than the 253 characters of a host name'
  const long = name.split('.').find((label) => label.length > 63)
  if (long !== undefined) return 'has a label of more than 63 characters'
  return name.split('.').some((label) => /^$|^-|-$/.test(label))
    ? 'has a label that is empty or begins or ends with a hyphen'
    : null
}
