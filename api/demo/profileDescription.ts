/** A profile with its parameters: config file to name and value pairs, a name may repeat. */
export interface ProfileDescription {
  readonly name: string
  readonly description: string
  readonly type: string
  readonly cdnName: string
  readonly files: Readonly<Record<string, readonly Setting[]>>
}

export type Setting = readonly [name: string, value: string]
