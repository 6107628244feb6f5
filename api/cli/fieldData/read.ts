import type { KindShape } from '../../schema/defineKind.js'
import { shapes } from '../../schema/kinds/index.js'
import type { Answers, Row } from './answers.js'
import { isProfileDocument, rowsOf } from './answers.js'
import { fallbacksOf, federationsOf, linksOf, Parameters, regexesOf } from './links.js'

/** A document that `import` takes, and what of the field's data has no place in it. */
export interface Converted {
  readonly document: Record<string, Row[]>
  readonly notes: readonly string[]
}

/** Lists whose records are records of a kind, by the first segment of their path. */
const lists: Readonly<Record<string, keyof typeof shapes>> = {
  api_capabilities: 'apiCapabilities',
  asns: 'asns',
  cachegroups: 'cachegroups',
  cachegroup_fallbacks: 'cachegroupFallbacks',
  capabilities: 'capabilities',
  cdns: 'cdns',
  coordinates: 'coordinates',
  deliveryservices: 'deliveryServices',
  divisions: 'divisions',
  federation_resolvers: 'federationResolvers',
  jobs: 'jobs',
  origins: 'origins',
  phys_locations: 'physLocations',
  profiles: 'profiles',
  regions: 'regions',
  roles: 'roles',
  servers: 'servers',
  staticdnsentries: 'staticDnsEntries',
  statuses: 'statuses',
  tenants: 'tenants',
  types: 'types',
  users: 'users',
}

/** Answers that say what other records are linked to, read after all lists. */
const links = new Set(['deliveryservices_regexes', 'deliveryserviceserver', 'parameters', 'profileparameters'])

export const isFieldPath = (path: string): boolean => {
  const [first = ''] = path.split('/')
  return Object.hasOwn(lists, first) || links.has(first) || first === 'steering' || first === 'federations'
}

/**
 * A whole CDN as the API of the field gives it, as one document: records with their ids, so that they go on referring to
 * each other by these, and names wherever an answer has both. Profiles may hold their parameters (`params`), and may come
 * as documents of one profile (`{profile, parameters}`).
 */
export function fromFieldData(answers: Answers): Converted {
  const document: Record<string, Row[]> = {}
  const left = new Map<string, Set<string>>()
  const add = (kind: keyof typeof shapes, rows: readonly Row[]) => {
    // Of whichever kind: fields are only looked up.
    const shape = shapes[kind] as unknown as KindShape
    const kept = rows.map((row) => keptOf(shape, row, left))
    document[kind] = [...(document[kind] ?? []), ...kept]
  }
  const parameters = new Parameters()
  const notes: string[] = []
  for (const [path, answer] of answers) {
    const [first = '', , third] = path.split('/')
    const rows = rowsOf(answer)
    if (isProfileDocument(answer)) add('profiles', [parameters.ofDocument(answer)])
    else if (first === 'parameters') parameters.addAll(rows)
    else if (first === 'steering' && third === 'targets') add('steeringTargets', rows)
    else if (Object.hasOwn(lists, first) && (third === undefined || first === 'cachegroup_fallbacks')) {
      if (first === 'profiles') for (const row of rows) parameters.ofProfile(row)
      if (first === 'cachegroups') add('cachegroupFallbacks', fallbacksOf(rows))
      add(lists[first]!, rows)
    } else if (!links.has(first) && first !== 'federations' && third !== 'federations')
      notes.push(`${path} is not imported`)
  }
  for (const row of rowsAt(answers, 'profileparameters')) parameters.link(row)
  add('parameters', parameters.rows())
  add(
    'deliveryServiceRegexes',
    regexesOf(rowsAt(answers, 'deliveryservices'), rowsAt(answers, 'deliveryservices_regexes')),
  )
  add('deliveryServiceServers', linksOf(rowsAt(answers, 'deliveryserviceserver')))
  add('federations', federationsOf(answers))
  for (const [kind, names] of left) notes.push(`of ${kind} these are not kept: ${[...names].join(', ')}`)
  return { document: Object.fromEntries(Object.entries(document).filter(([, rows]) => rows.length > 0)), notes }
}

/** The records of all answers of a path and of those below it that name one record. */
const rowsAt = (answers: Answers, wanted: string): Row[] =>
  [...answers].flatMap(([path, answer]) => {
    const [first, , third] = path.split('/')
    return first === wanted && third === undefined ? rowsOf(answer) : []
  })

/** The fields of a record that its kind has; of a reference that is given by id and by name, the name. */
function keptOf(shape: KindShape, row: Row, left: Map<string, Set<string>>): Row {
  const known = new Map<string, string>()
  for (const [name, { notes }] of Object.entries(shape.fields))
    for (const spelling of [name, ...(notes.aliases ?? []), ...(notes.nameAliases ?? [])]) known.set(spelling, name)
  const shown = new Set(['id', 'lastUpdated', ...Object.keys(shape.computed ?? {}), ...(shape.shownAs ?? [])])
  const named = new Set<string>()
  for (const [spelling, value] of Object.entries(row)) {
    const name = known.get(spelling)
    if (name !== undefined && shape.fields[name]!.notes.ref && typeof value === 'string' && !isId(value))
      named.add(name)
  }
  return Object.fromEntries(
    Object.entries(row).filter(([spelling, value]) => {
      const name = known.get(spelling)
      if (name === undefined) {
        if (!shown.has(spelling) && !elsewhere.has(spelling) && value !== null) {
          const names = left.get(shape.kind) ?? new Set()
          left.set(shape.kind, names.add(spelling))
        }
        return spelling === 'id' || spelling === ownerOf(shape)
      }
      return !(named.has(name) && isId(value))
    }),
  )
}

/** Older versions give ids as texts. */
const isId = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d*$/.test(value))

/** What becomes other records, and ids that are given under another name. */
const elsewhere = new Set(['params', 'fallbacks', 'matchList', 'deliveryserviceid', 'deliveryServiceIds'])

const ownerOf = ({ idRefersTo }: KindShape): string | null => idRefersTo?.replace(/s$/, '') ?? null
