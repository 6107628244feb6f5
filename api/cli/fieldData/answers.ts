/** A record of an answer. */
export type Row = Readonly<Record<string, unknown>>

/** What the API of the field answered, by the path that was asked: `cdns`, `profiles/7`, `steering/3/targets`. */
export type Answers = ReadonlyMap<string, unknown>

/** An answer with its envelope or without, a list or one record. */
export function rowsOf(answer: unknown): Row[] {
  const inside = isRow(answer) && 'response' in answer ? answer.response : answer
  const listed = isRow(inside) && Array.isArray(inside.cachegroupParameters) ? inside.cachegroupParameters : inside
  return [listed].flat().filter(isRow)
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `GET profiles/:id/export`. */
export const isProfileDocument = (
  answer: unknown,
): answer is { readonly profile: Row; readonly parameters: readonly Row[] } =>
  isRow(answer) && isRow(answer.profile) && Array.isArray(answer.parameters)
