import { hasOrigin, isCache } from '../../../compiler/cdn/services.js'
import type { Fault, FaultCode } from '../../../compiler/snapshots/faults.js'
import { inSlices } from '../../flow/slices.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { Parts } from '../parts.js'
import { compiled, faultsIn } from '../snapshots/compiled.js'
import { newestChange } from '../snapshots/stamp.js'
import { addressFindings } from './addressFindings.js'
import type { Finding } from './finding.js'
import { keyFindings } from './keyFindings.js'
import { routerFindings } from './routerFindings.js'
import { cdnRef, isInUse, serviceRef, someOf, typeOf } from './subjects.js'

type Cdn = Records['cdns']
type Uses = Pick<Parts, 'artifacts' | 'data' | 'now' | 'settings' | 'vault'>

/**
 * Everything that would keep a CDN from serving, as the records are now, each with what to do; what keeps all of it from
 * serving first.
 */
export async function checkCdn(cdn: Cdn, parts: Uses): Promise<Finding[]> {
  const { data, settings, vault } = parts
  const now = parts.now().getTime()
  const faults = faultsIn((await compiled('faults', cdn.id, parts)).bytes)
  const findings = [
    ...faults.map(ofFault),
    ...(await found(serviceFindings(data, cdn))),
    ...(await inSlices(routerFindings(data, cdn, now))),
    ...(await inSlices(keyFindings({ data, vault, now }, cdn))),
    ...(await found(monitorFindings(data, cdn))),
    ...(await found(addressFindings(data, cdn, settings))),
    ...(await found(snapshotFindings(data, cdn))),
  ]
  const isError = ({ level }: Finding) => level === 'error'
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))]
}

/** All findings of steps, which come to nothing where others may be heard in between. */
async function found(steps: Iterable<Finding | undefined>): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const finding of steps) {
    if (finding) findings.push(finding)
    if (isLong()) await turn()
  }
  return findings
}

/** What stands against a snapshot, with what to do about it. */
const fixes: Readonly<Record<FaultCode, string>> = {
  'dangling-reference': 'Give the record one that exists.',
  'foreign-service': 'Take the delivery service away from the server, or move one of them to the CDN of the other.',
  'duplicate-host-name': 'Give one of the servers another host name.',
  'duplicate-host': 'Change the host pattern of one of the delivery services.',
  'service-without-match-set': 'Give it a HOST_REGEXP: POST /api/1.3/deliveryservices/ID/regexes.',
  'unparsable-regex': 'Mend the pattern.',
  'unparsable-threshold': "Mend the value: a number, or a number behind '<', '>' or '='.",
  'missing-interval': 'Add it to the profile of the monitors, as a number of milliseconds (6000).',
  'missing-setting': "Add it to the routers' profile as a parameter of config file CRConfig.json: a URL of the file.",
  'conflicting-parameters': 'Keep one of the values.',
  'no-edge': 'Add a server of type EDGE whose status is REPORTED or ONLINE.',
  'no-router': 'Add a server of type CCR whose status is ONLINE.',
  'no-monitor': 'Add a server of type RASCAL whose status is ONLINE.',
}

const ofFault = ({ code, record, text }: Fault): Finding => ({
  code,
  level: 'error',
  record,
  text: `${text}.`,
  fix: fixes[code],
})

/** Delivery services that nobody is served from. */
function* serviceFindings(data: Data, cdn: Cdn): Iterable<Finding | undefined> {
  const active = data.by('deliveryServices', 'cdnId', cdn.id).filter((service) => service.active)
  if (active.length === 0)
    yield {
      code: 'no-service',
      level: 'error',
      record: cdnRef(cdn),
      text: `${cdn.name} has no delivery service that is active.`,
      fix: 'Add one with POST /api/1.3/deliveryservices, or set its active to true.',
    }
  for (const service of active) {
    yield
    if (!hasOrigin(typeOf(data, service))) continue
    const { id, xmlId } = service
    const level = 'error'
    const record = serviceRef(service)
    const isEdge = (at: number): boolean => {
      const server = data.get('servers', at)
      return server !== undefined && typeOf(data, server).startsWith('EDGE') && isInUse(data, server)
    }
    if (data.ids('deliveryServiceServers', 'deliveryServices', id).some(isEdge)) continue
    const fix = `Assign edges with POST /api/1.3/deliveryserviceserver {"dsId": ${id}, "servers": [ID]}.`
    yield { code: 'service-without-edge', level, record, text: `${xmlId} is assigned to no edge in use.`, fix }
  }
}

/** Caches whose health the monitor does not know how to ask: routers take them for ill. */
function* monitorFindings(data: Data, cdn: Cdn): Iterable<Finding | undefined> {
  const caches = data
    .by('servers', 'cdnId', cdn.id)
    .filter((server) => isCache(typeOf(data, server)) && isInUse(data, server))
  for (const id of new Set(caches.map(({ profileId }) => profileId))) {
    yield
    const settings = data.by('parameters', 'profileFile', `${id}/rascal.properties`)
    const name = data.get('profiles', id)?.name ?? ''
    if (settings.some((parameter) => parameter.name === 'health.polling.url')) continue
    const hosts = caches.filter(({ profileId }) => profileId === id).map(({ hostName }) => hostName)
    yield {
      code: 'no-health-url',
      level: 'error',
      record: { kind: 'profiles', id, name },
      text: `Monitors cannot ask ${someOf(hosts)} for their health: profile ${name} has no health.polling.url.`,
      fix: `Add it to ${name} as a parameter of config file rascal.properties, like http://\${hostname}/_stats.`,
    }
  }
}

function* snapshotFindings(data: Data, cdn: Cdn): Iterable<Finding> {
  const active = data.get('activeSnapshots', cdn.id)
  const record = cdnRef(cdn)
  const fix = `Make one with PUT /api/1.3/snapshot/${cdn.name}.`
  if (!active) {
    const text = `There is no snapshot of ${cdn.name}: routers and monitors get nothing.`
    yield { code: 'no-snapshot', level: 'error', record, text, fix }
  } else if (newestChange(data, cdn.id) > active.date) {
    const text = `${cdn.name} was changed after its active snapshot; routers do not know of it.`
    yield { code: 'snapshot-behind', level: 'warning', record, text, fix }
  }
}
