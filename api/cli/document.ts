import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import { Refused } from './service/client.js'

/** What an import came to, or would. */
export interface Imported {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly removed: number
  readonly plan?: Plan
}

export interface Plan {
  readonly digest: string
  readonly changes: readonly PlannedChange[]
  readonly more: number
}

export interface PlannedChange {
  readonly kind: string
  readonly name: string
  readonly action: 'create' | 'update' | 'delete'
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
}

export interface ImportQuery {
  readonly dryRun?: 'true'
  readonly changes?: 'true'
  readonly prune?: 'true' | undefined
  readonly plan?: string
}

/**
 * The text of a document, once it is known to be JSON. What the API of the field answered, in a folder of files named by
 * the paths that were asked, or in one document by these names, is made into one.
 */
export async function readDocument(file: string): Promise<string> {
  const isFolder = file !== '-' && (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false)
  const text = isFolder ? '' : read(file)
  const given: unknown = isFolder ? null : parsed(file, text)
  if (!isFolder && !mayBeFieldData(given)) return text
  const [{ fromFieldData, isFieldPath }, { isProfileDocument }] = await Promise.all([
    import('./fieldData/read.js'),
    import('./fieldData/answers.js'),
  ])
  const name = basename(file, '.json')
  const answers = isFolder
    ? answersIn(file)
    : isProfileDocument(given) || 'response' in (given as object)
      ? new Map([[name, given]])
      : new Map(Object.entries(given as object).map(([path, answer]) => [pathOf(path), answer]))
  if (!isFolder && ![...answers].some(([path, answer]) => isFieldPath(path) || isProfileDocument(answer))) return text
  const { document, notes } = fromFieldData(answers)
  for (const note of notes) process.stderr.write(`edgewright: note that ${note}\n`)
  return JSON.stringify(document)
}

/** A document of this service is of lists, by the names of collections; those have capitals where the field has none. */
function mayBeFieldData(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const isEnveloped = (one: unknown) => typeof one === 'object' && one !== null && 'response' in one
  return (
    isEnveloped(given) ||
    'profile' in given ||
    Object.values(given).some(isEnveloped) ||
    Object.keys(given).some((name) =>
      /[/_]|^(deliveryservices|deliveryserviceserver|staticdnsentries|profileparameters)$/.test(name),
    )
  )
}

function answersIn(folder: string): Map<string, unknown> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  if (files.length === 0) throw new CommandFailed(`${folder} holds no .json files`)
  return new Map(
    files.sort().map((name) => {
      const file = join(folder, name)
      return [pathOf(name.slice(0, -'.json'.length)), parsed(file, read(file))]
    }),
  )
}

/** `api/1.3/cdns`, `/cdns.json`, `steering\\3\\targets`: the path below the version. */
const pathOf = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/^\/?(api\/[0-9.]+\/)?/, '')
    .replace(/(\.json)?(\?.*)?$/, '')

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailed(`${file} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Has a service import a document. What it advises goes to the terminal; every fault of the document is listed. */
export async function importText(client: Client, text: string, query: ImportQuery): Promise<Imported> {
  try {
    const { response, alerts } = await client.ask<Imported>('POST', 'import', { query: { ...query }, body: text })
    for (const { level, text } of alerts)
      if (level === 'warning') process.stderr.write(`edgewright: note that ${text}\n`)
    return response
  } catch (error) {
    if (!(error instanceof Refused) || ![400, 403, 404, 409].includes(error.status) || error.texts.length === 0)
      throw error
    const faults = error.texts.map((one) => `  ${one}`).join('\n')
    throw new CommandFailed(`nothing was imported; the document has faults:\n${faults}`)
  }
}

export const counts = ({ created, updated, unchanged, removed }: Imported): string =>
  `${created} created, ${updated} updated, ${unchanged} unchanged${removed > 0 ? `, ${removed} removed` : ''}`

const marks = { create: '+', update: '~', delete: '-' } as const

/** A plan for people: a line for each record, and below it one for each field that changes. */
export function planLines({ changes, more }: Plan): string[] {
  const lines = changes.flatMap(({ kind, name, action, fields }) => [
    `${marks[action]} ${kind} ${name}`,
    ...fields.map(
      ({ field, before, after }) => `    ${field}: ${action === 'create' ? '' : `${said(before)} → `}${said(after)}`,
    ),
  ])
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

/** On one line, whatever it holds. */
const said = (value: unknown): string => JSON.stringify(value)
