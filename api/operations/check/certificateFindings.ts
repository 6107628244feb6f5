import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { covers } from '../keys/hostName.js'
import { servedNames } from '../keys/serviceNames.js'
import type { Finding } from './finding.js'
import { serviceRef, speaksHttps } from './subjects.js'

type Service = Records['deliveryServices']

const day = 86_400_000
const soon = 30

/**
 * What is wrong with the certificate of a delivery service over HTTPS. Routers take up no new snapshot of the CDN at all
 * while one of its services has none.
 *
 * @param now milliseconds since 1970
 */
export function* certificateFindings(data: Data, service: Service, now: number): Iterable<Finding> {
  if (!speaksHttps(service)) return
  const { xmlId } = service
  const record = serviceRef(service)
  const newest = [...data.by('sslKeys', 'deliveryServiceId', service.id)].sort((a, b) => b.version - a.version)[0]
  const fix = `Add one with POST /api/1.3/deliveryservices/sslkeys/add, or have one made with …/sslkeys/generate.`
  if (!newest) {
    const text = `${xmlId} is served over HTTPS and has no certificate; routers take up no snapshot without it.`
    yield { code: 'https-without-certificate', level: 'error', record, text, fix }
    return
  }
  const names = servedNames(data, service)
  if (names.length > 0 && !names.some((name) => covers(newest.hostname, name) || covers(name, newest.hostname))) {
    const text = `The certificate of ${xmlId} is for ${newest.hostname}, but clients ask for ${names[0]}.`
    yield { code: 'certificate-for-another-host', level: 'error', record, text, fix }
  }
  if (newest.expires === null) return
  const left = Date.parse(newest.expires) - now
  const when = newest.expires.slice(0, 10)
  if (left <= 0) {
    const text = `The certificate of ${xmlId} ended on ${when}.`
    yield { code: 'certificate-expired', level: 'error', record, text, fix }
  } else if (left <= soon * day) {
    const text = `The certificate of ${xmlId} ends on ${when}, in ${Math.ceil(left / day)} days.`
    yield { code: 'certificate-expires-soon', level: 'warning', record, text, fix }
  }
}
