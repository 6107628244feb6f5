import { Type } from '@sinclair/typebox'
import { badRequest, invalid, noSuch, quoted } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { recordBody, refused } from '../../operations/bodies.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { saysNothing } from '../../records/nothing.js'
import type { Values } from '../../records/recordBody.js'
import { readBody } from '../../records/recordBody.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { byPathId, textOf } from '../crud/ids.js'
import { list } from '../crud/readRoutes.js'
import type { Resource } from '../crud/resource.js'
import { createRow, success } from '../crud/routes.js'

const openSlot = 'CHECK_EXTENSION_OPEN_SLOT'
const installable = /^(CHECK_EXTENSION_|CONFIG_EXTENSION|STATISTIC_EXTENSION)/

export const extensionRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  (resource) => {
    const plain = list('/to_extensions', { role: 'any', order: 'id' })(resource)
    return {
      ...plain,
      read: (input, data) => {
        const { response } = plain.read(input, data)
        return { response: [...(response as Iterable<{ type: string }>)].filter(({ type }) => type !== openSlot) }
      },
    }
  },
  (resource) => {
    const body = recordBody(resource, 'create')
    return {
      method: 'POST',
      path: '/to_extensions',
      role: 'checker',
      reach: 'shared',
      summary: 'Install an extension; a check takes an open slot',
      body,
      document: Type.Object({ supplemental: Type.Object({ id: Type.Integer() }) }),
      write: (input, transaction) => install(resource, body.read(input.body), input, transaction),
    }
  },
  () => ({
    method: 'POST',
    path: '/to_extensions/:id/delete',
    role: 'checker',
    reach: 'shared',
    summary: 'Uninstall an extension; the slot of a check is open again',
    body: 'none',
    write: uninstall,
  }),
]

function install(resource: Resource, body: Values, input: RequestInput, transaction: Transaction) {
  if (body.id !== undefined && body.id !== null && body.id !== '') {
    throw badRequest('ToExtension update not supported; delete and re-add.')
  }
  const { values, faults } = readBody(resource, body, { mode: 'create', data: transaction.data })
  const named = transaction.data.get('types', (values.typeId as number | undefined) ?? null)
  const type = named?.name ?? ''
  if (named?.useInTable !== 'to_extension' || !installable.test(type) || type === openSlot) {
    const path = 'typeId'
    const given = ['type', 'typeName', 'typeId'].find((name) => !saysNothing(body[name])) ?? 'type'
    const text = `${given}: Invalid Extension type: ${quoted(body[given] ?? '')}`
    throw invalid([{ path, text }, ...faults.filter((one) => one.path !== path)])
  }
  const isCheck = type.startsWith('CHECK_EXTENSION_')
  const id = isCheck
    ? takeSlot(resource, body, transaction)
    : createRow(resource, body, input, transaction, { log: null }).id
  const text = isCheck ? 'Check Extension Loaded.' : 'Extension loaded.'
  transaction.log(`${text} ${textOf(body.name)} (id ${id})`)
  return { alerts: [success(text)], extra: { supplemental: { id } } }
}

/** Whatever was measured by the check that had the slot before is not this one's. */
function takeSlot(resource: Resource, body: Values, transaction: Transaction): number {
  const { data } = transaction
  const { values, faults } = readBody(resource, body, { mode: 'create', data })
  if (!values.servercheck_short_name && !faults.some(({ path }) => path === 'servercheck_short_name')) {
    const path = 'servercheck_short_name'
    faults.push({ path, text: `${path} is required` })
  }
  if (faults.length > 0) throw invalid(faults)
  const open = findOne(data, 'types', 'name', openSlot)
  const [slot] = open ? data.by('extensions', 'typeId', open.id) : []
  if (!slot) throw badRequest('No open slots left for checks, delete one first.')
  const made = transaction.tryUpdate('extensions', slot.id, values)
  if (!made.row) throw refused(resource, body, made.faults)
  forget(slot.id, transaction)
  return slot.id
}

function uninstall(input: RequestInput, transaction: Transaction) {
  const { data } = transaction
  const extension = byPathId(data, 'extensions', 'extension', input)
  const type = data.get('types', extension.typeId)?.name ?? ''
  if (type === openSlot) throw noSuch('extension', extension.id)
  if (type.startsWith('CHECK_EXTENSION_')) {
    transaction.update('extensions', extension.id, opened(extension.id, data))
    forget(extension.id, transaction)
  } else transaction.remove('extensions', extension.id)
  transaction.log(`Deleted extension ${extension.name} (id ${extension.id})`)
  return { alerts: [success('Extension deleted.')] }
}

function opened(id: number, data: Data): Partial<Records['extensions']> {
  return {
    name: `OPEN_SLOT_${id}`,
    version: '0',
    info_url: '-',
    script_file: '-',
    isactive: false,
    additional_config_json: null,
    description: null,
    servercheck_short_name: null,
    typeId: findOne(data, 'types', 'name', openSlot)!.id,
  }
}

function forget(extensionId: number, transaction: Transaction): void {
  for (const id of [...transaction.data.ids('serverChecks', 'extensionId', extensionId)])
    transaction.remove('serverChecks', id)
}
