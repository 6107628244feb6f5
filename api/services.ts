/** Placeholder kept in step by server.ts. */
export interface Services {
  readonly placeholder?: never
}
