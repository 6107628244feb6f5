import { Type } from '@sinclair/typebox'
import { invalid } from '../../config/errors.js'
import { recordsBody } from '../../operations/bodies.js'
import type { Body, Endpoint, ReadEndpoint } from '../../operations/endpoint.js'
import { eachInSteps } from '../../records/each.js'
import { mustBeAllowed, sameParameter, secureNeedsAdmin, unseen } from '../../records/kinds/parameterSecrecy.js'
import type { Values } from '../../records/recordBody.js'
import type { Row } from '../../schema/defineKind.js'
import { seesSecrets } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { presentWritten } from '../crud/present.js'
import { findRow, list, read } from '../crud/readRoutes.js'
import type { Resource } from '../crud/resource.js'
import { defineResource } from '../crud/resource.js'
import { createRow, remove, success, update } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'
import { newParameterRoutes } from './newParameterRoutes.js'
import { linkRoutes } from './parameterLinkRoutes.js'
import { asListed, asRead, asWritten } from './parameterShapes.js'
import { profileParameterRoutes } from './profileParameterRoutes.js'

const looked: Body<{ readonly name: string; readonly configFile: string; readonly value: string }> = {
  schema: Type.Object({ name: Type.String(), configFile: Type.String(), value: Type.String() }),
  read: (body) => {
    const { name, configFile, value } = (typeof body === 'object' && body !== null ? body : {}) as Values
    const missing = Object.entries({ name, configFile, value }).filter(([, text]) => typeof text !== 'string')
    if (typeof name === 'string' && typeof configFile === 'string' && typeof value === 'string')
      return { name, configFile, value }
    throw invalid(missing.map(([path]) => ({ path, text: `Parameter ${path} is required.` })))
  },
}

export default defineResource('parameters', {
  shown: { profiles: Type.Array(Type.String()), profileNames: null },
  present: {
    '1.1': (row, context) => (context.single ? asRead(row, context) : asListed(row, context)),
    '1.3': asListed,
  },
  writeResponse: asWritten,
  routes: [
    list('/parameters', {
      role: 'any',
      order: 'name',
      unseen,
      filters: { name: 'name', configFile: 'configFile', value: visibleValue, secure: 'secure' },
    }),
    unlessSecure(read('/parameters/:id', { role: 'any' })),
    created,
    validated,
    update('/parameters/:id', {
      role: 'oper',
      partial: true,
      allow: secureNeedsAdmin,
      text: ({ name }) => `Parameter [ ${name} ] updated`,
    }),
    remove('/parameters/:id', {
      role: 'oper',
      allow: secureNeedsAdmin,
      text: () => 'Parameter was successfully deleted.',
    }),
    ...profileParameterRoutes,
    ...newParameterRoutes,
    ...linkRoutes,
  ],
})

/** A filter must not let anybody guess a secure value. */
function visibleValue(rows: readonly Row[], value: string) {
  return rows.filter((row) => !row.secure && row.value === value)
}

function unlessSecure(route: (resource: Resource) => ReadEndpoint): (resource: Resource) => ReadEndpoint {
  return (resource) => {
    const plain = route(resource)
    return {
      ...plain,
      read: (input, data) => {
        mustBeAllowed(findRow(resource, input, data) as Records['parameters'], input)
        return plain.read(input, data)
      },
    }
  }
}

/** One object or several; all of them are made, or none. */
function created(resource: Resource): Endpoint {
  const body = recordsBody(resource, 'create')
  return {
    method: 'POST',
    path: '/parameters',
    role: 'oper',
    reach: 'shared',
    summary: 'Create parameters',
    body,
    response: Type.Array(rowSchema(resource)),
    *write(input, transaction) {
      const rows = yield* eachInSteps(body.read(input.body), (one) =>
        createRow(resource, one, input, transaction, { allow: secureNeedsAdmin, log: null }),
      )
      const made = rows.map(({ name, configFile, id }) => `${name} in ${configFile} (id ${id})`)
      transaction.log(
        `Created ${rows.length} parameters: ${made.slice(0, 20).join(', ')}${made.length > 20 ? ', …' : ''}`,
      )
      const { version, user } = input
      return {
        response: yield* eachInSteps(rows, (row) =>
          presentWritten(resource, row, { data: transaction.data, version, user }),
        ),
        alerts: [success(`${rows.length} parameters created`)],
      }
    },
  }
}

function validated(resource: Resource): Endpoint {
  return {
    method: 'POST',
    path: '/parameters/validate',
    role: 'any',
    reach: 'shared',
    summary: 'Find the parameter with a name, config file and value',
    body: looked,
    response: rowSchema(resource),
    write: ({ body, version, user }, { data }) => {
      const given = looked.read(body)
      const found = sameParameter(data, given, { user })
      // Telling an exact match of a secure value would be telling the value.
      if (!found || (found.secure && !seesSecrets(user))) {
        const text = `parameter [name:${given.name}, config_file:${given.configFile}, value:${given.value}] does not exist.`
        throw invalid([{ path: '', text }])
      }
      return {
        response: presentWritten(resource, found as Row, { data, version, user }),
        alerts: [success('Parameter exists.')],
      }
    },
  }
}
