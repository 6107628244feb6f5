import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import { badRequest, invalid, noSuch, quoted } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import type { Wanted } from '../../operations/updates.js'
import { acknowledge, reportFailure } from '../../operations/updates.js'
import { mustReachSecure } from '../../records/kinds/parameterSecrecy.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { objectOf, textOf } from '../crud/ids.js'
import { readerOf } from './reader.js'
import { updateStatus, updateStatusSchema } from './updateStatus.js'

type Uses = Pick<Parts, 'artifacts' | 'data' | 'reading' | 'sessions' | 'updateReads' | 'workingSet'>

type Writing = Uses & Pick<Calling, 'committer'>

/** Longest message kept of a failure. */
const longest = 4096

/**
 * What the agent on a cache asks for besides its config files (clients.md §4), in the order it does: whether an
 * update is pending, the packages and services of its machine, and at last what became of the update.
 */
export const agentEndpoints = (uses: Uses): readonly Endpoint[] => [
  {
    method: 'GET',
    path: '/servers/:host/update_status',
    role: 'any',
    reach: 'shared',
    summary: 'Whether a server, or all, has updates to fetch; X-Edgewright-Revision is to be sent back when applied',
    document: Type.Array(updateStatusSchema),
    live: async (input) => status(input, uses),
  },
  {
    method: 'GET',
    path: '/update/:host',
    unversioned: true,
    role: 'any',
    reach: 'shared',
    summary: 'The update status without use_reval_pending, as older agents ask for it',
    document: Type.Array(Type.Omit(updateStatusSchema, ['use_reval_pending'])),
    live: async (input) => {
      const { bare, ...answer } = status(input, uses)
      return { ...answer, bare: (bare as ReturnType<typeof updateStatus>[]).map(withoutSetting) }
    },
  },
  {
    method: 'POST',
    path: '/update/:host',
    unversioned: true,
    role: 'agent',
    reach: 'shared',
    summary: 'What a server applied: updated=0 and reval_updated=0, or result=failed with a message',
    lenientBody: 'form',
    produces: 'text/plain',
    query: dryRunQuery,
    bodyDocument: Type.Object({
      updated: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Boolean()])),
      reval_updated: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Boolean()])),
      result: Type.Optional(Type.Union([Type.Literal('applied'), Type.Literal('failed')])),
      message: Type.Optional(Type.String({ maxLength: longest })),
    }),
    live: (input, { committer }) => report(input, { ...uses, committer }),
  },
  machineFile(uses, 'packages', 'Packages to install on a server'),
  machineFile(uses, 'chkconfig', 'Services to switch on or off on a server'),
]

/** Answers from the data as it is now, and remembers which revision that was in case the client does not. */
function status(input: RequestInput, { data, workingSet, updateReads, sessions }: Uses): Result {
  const host = input.params.host ?? ''
  const { revision } = workingSet
  const headers = { 'x-edgewright-revision': String(revision) }
  if (host === 'all') return { bare: data.all('servers').map((server) => updateStatus(server, data, false)), headers }
  const server = named(host, data)
  const told = updateStatus(server, data, true)
  const pending = told.upd_pending || told.reval_pending
  updateReads.note(readerOf(input, sessions).name, server.id, { revision, pending })
  return { bare: [told], headers }
}

const withoutSetting = ({ use_reval_pending: _, ...rest }: ReturnType<typeof updateStatus>) => rest

async function report(input: RequestInput, { data, committer, updateReads, sessions }: Writing): Promise<Result> {
  const said = sayings(input)
  const { id } = named(input.params.host ?? '', data)
  const reader = readerOf(input, sessions)
  const revision = said.revision ?? updateReads.fetched(reader, id)
  const decide = (transaction: Transaction): Result => {
    const server = named(input.params.host ?? '', transaction.data)
    if (said.failed) {
      reportFailure(transaction, server.id, said.message)
      transaction.log(`Update failed on ${server.hostName}: ${quoted(said.message)}`, 'OPER')
    } else if (said.applied.length > 0) {
      acknowledge(transaction, server.id, { applied: said.applied, revision })
      transaction.log(
        `Update applied on ${server.hostName}: ${said.applied.join(', ')} of revision ${revision}`,
        'OPER',
      )
    }
    return {}
  }
  if (isDryRun(input)) return rehearsed(committer, input, atOnce(decide))
  const committed = await committer.write(input, decide)
  updateReads.reported(reader.name, id)
  return {
    raw: { body: 'Success', contentType: 'text/plain; charset=utf-8' },
    headers: { 'x-edgewright-revision': String(committed.revision) },
  }
}

interface Sayings {
  readonly failed: boolean
  readonly message: string
  readonly applied: readonly Wanted[]
  /** The revision whose files were applied, when the client knows it. */
  readonly revision: number | undefined
}

function sayings({ body, headers }: RequestInput): Sayings {
  const given = objectOf(body ?? {})
  const faults: Fault[] = []
  const fault = (path: string, text: string) => void faults.push({ path, text: `${path} ${text}` })
  const isApplied = (name: string): boolean => {
    const value = given[name]
    if (value === undefined || ['1', 'true'].includes(textOf(value))) return false
    if (!['0', 'false'].includes(textOf(value))) fault(name, 'must be 0 (applied) or 1 (still pending)')
    return true
  }
  const applied: Wanted[] = [
    ...(isApplied('updated') ? (['config'] as const) : []),
    ...(isApplied('reval_updated') ? (['revalidation'] as const) : []),
  ]
  const { result = 'applied', message = '' } = given
  if (result !== 'applied' && result !== 'failed') fault('result', 'must be applied or failed')
  if (typeof message !== 'string') fault('message', 'must be a string')
  if (result === 'applied' && given.updated === undefined && given.reval_updated === undefined) {
    fault('updated', 'or reval_updated is required')
  }
  const revision = headers['x-edgewright-revision']
  if (revision !== undefined && !/^\d{1,15}$/.test(revision)) fault('X-Edgewright-Revision', 'must be a revision')
  if (faults.length > 0) throw invalid(faults)
  return {
    failed: result === 'failed',
    message: printable(textOf(message)) || 'no message',
    applied,
    revision: revision === undefined ? undefined : Number(revision),
  }
}

/** Agents send the end of a log: lines stay lines, other control characters go. */
const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '').slice(0, longest)

/** Compiled like the server's other files, and therefore as fresh and as cheap. */
function machineFile({ reading, artifacts }: Uses, file: 'packages' | 'chkconfig', summary: string): Endpoint {
  const field = file === 'packages' ? 'version' : 'value'
  return {
    method: 'GET',
    path: `/ort/:host/${file}`,
    unversioned: true,
    role: 'agent',
    reach: 'shared',
    summary,
    document: Type.Array(Type.Object({ name: Type.String(), [field]: Type.String() })),
    keeps: async ({ params, user }) => {
      for (;;) {
        const { data, cells, readAt } = reading()
        const server = named(params.host ?? '', data)
        const artifact = await artifacts.get({ file, scope: 'servers', subjectId: server.id })
        mustReachSecure(artifact, user, data)
        const body = artifacts.bytes(artifact)
        // The cache may have had to let the body go meanwhile.
        if (!body) continue
        const raw = { body, contentType: 'application/json; charset=utf-8' }
        return { raw, kept: { cells: cells(), readAt, artifact, etag: artifact.etag } }
      }
    },
  }
}

function named(host: string, data: Data): Records['servers'] {
  if (host === '') throw badRequest('The host name is missing.')
  const server = findOne(data, 'servers', 'hostName', host)
  if (!server) throw noSuch('server', host)
  return server
}
