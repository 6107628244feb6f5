/**
 * The beginning of a text, at most `length` UTF-16 units of it, without halves of characters: a store of UTF-8 keeps
 * another in their place, and a cut can make one.
 */
export const textBeginning = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Surrogate}/gu, '')
