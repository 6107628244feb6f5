import { Type } from '@sinclair/typebox'
import { badRequest, noSuch, quoted } from '../../config/errors.js'
import { textBeginning } from '../../config/textBeginning.js'
import type { Transaction } from '../../journal/transaction.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { fieldsBody } from '../../operations/fieldsBody.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import type { Wanted } from '../../operations/updates.js'
import { acknowledge, isPending, isRevalPending, reportFailure } from '../../operations/updates.js'
import { mustReachSecure } from '../../records/kinds/parameterSecrecy.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { anyText, flag, oneOf, optional } from '../../schema/fields.js'
import type { Records } from '../../schema/records.js'
import { readerOf } from './reader.js'
import { updateStatus, updateStatusSchema } from './updateStatus.js'

type Uses = Pick<Parts, 'artifacts' | 'data' | 'reading' | 'sessions' | 'updateReads' | 'workingSet'>

type Writing = Uses & Pick<Calling, 'committer'>

/** Longest message kept of a failure. */
const longest = 4096

const pending = { description: 'Whether it is still pending: 0 says that it was applied.' }
const reported = fieldsBody({
  updated: optional(flag({ ...pending, must: 'must be 0 (applied) or 1 (still pending)' })),
  reval_updated: optional(flag({ ...pending, must: 'must be 0 (applied) or 1 (still pending)' })),
  result: oneOf(['applied', 'failed'], { default: 'applied', must: 'must be applied or failed' }),
  message: anyText({
    default: '',
    exact: true,
    description: `Why it failed, of which ${longest} characters are kept.`,
  }),
})

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
    form: true,
    produces: 'text/plain',
    query: dryRunQuery,
    body: reported,
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
  const decide = (transaction: Transaction): Result & { left: readonly Wanted[] } => {
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
    return { left: said.applied.filter((wanted) => pendingBy[wanted](transaction.data, server.id)) }
  }
  if (isDryRun(input)) return rehearsed(committer, input, atOnce(decide))
  const committed = await committer.write(input, decide)
  updateReads.reported(reader.name, id)
  return {
    raw: { body: outcome(committed.value.left, revision), contentType: 'text/plain; charset=utf-8' },
    headers: { 'x-edgewright-revision': String(committed.revision) },
  }
}

const pendingBy = { config: isPending, revalidation: isRevalPending } as const

/** Agents write it to their log, and take any answer with this status for well. */
function outcome(left: readonly Wanted[], revision: number): string {
  if (left.length === 0) return 'Success'
  const what = left.map((wanted) => (wanted === 'config' ? 'an update' : 'a revalidation')).join(' and ')
  return `Success, but ${what} was queued after revision ${revision}, which this is taken to be about, and is still pending. To say what was applied, send the X-Edgewright-Revision of the update status that was read before the files.`
}

interface Sayings {
  readonly failed: boolean
  readonly message: string
  readonly applied: readonly Wanted[]
  /** The revision whose files were applied, when the client knows it. */
  readonly revision: number | undefined
}

function sayings({ body, headers }: RequestInput): Sayings {
  const told = headers['x-edgewright-revision']
  const { updated, reval_updated, result, message } = reported.read(body, (found) => [
    ...(found.result === 'applied' && found.updated === null && found.reval_updated === null
      ? [{ path: 'updated', text: 'updated or reval_updated is required' }]
      : []),
    ...(told !== undefined && !/^\d{1,15}$/.test(told)
      ? [{ path: 'X-Edgewright-Revision', text: 'X-Edgewright-Revision must be a revision' }]
      : []),
  ])
  return {
    failed: result === 'failed',
    message: printable(message) || 'no message',
    applied: [
      ...(updated === false ? (['config'] as const) : []),
      ...(reval_updated === false ? (['revalidation'] as const) : []),
    ],
    revision: told === undefined ? undefined : Number(told),
  }
}

/** Agents send the end of a log: lines stay lines, other control characters go. */
const printable = (text: string): string => textBeginning(text.replace(/[^\P{Cc}\n\t]/gu, ''), longest)

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
        const { data, dependencies, readAt } = reading()
        const server = named(params.host ?? '', data)
        const artifact = await artifacts.get({ file, scope: 'servers', subjectId: server.id })
        mustReachSecure(artifact, user, data)
        const body = artifacts.bytes(artifact)
        // The cache may have had to let the body go meanwhile.
        if (!body) continue
        const raw = { body, contentType: 'application/json; charset=utf-8' }
        return { raw, kept: { dependencies: dependencies(), readAt, artifact, etag: artifact.etag } }
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
