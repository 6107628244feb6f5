import { randomUUID } from 'node:crypto'
import { makeCertificate } from '../operations/keys/makeCertificate.js'
import { servedNames } from '../operations/keys/serviceNames.js'
import type { SslKeys } from '../operations/keys/ssl.js'
import type { Parts } from '../operations/parts.js'
import { system } from '../schema/privileges.js'

const subject = {
  country: 'US',
  state: 'Illinois',
  city: 'Chicago',
  organization: 'Example CDN',
  businessUnit: 'Sample',
}

/** Self-signed certificates for the sample's services over https, without which no router takes up its work. */
export async function makeSampleCertificates({
  committer,
  data,
  vault,
  makeRsa,
  now,
}: Pick<Parts, 'committer' | 'data' | 'vault' | 'makeRsa' | 'now'>): Promise<void> {
  const lacking = data
    .all('deliveryServices')
    .filter(({ id, protocol }) => (protocol ?? 0) > 0 && !data.has('sslKeys', 'deliveryServiceId', id))
    .flatMap((service) =>
      servedNames(data, service)
        .slice(0, 1)
        .map((hostname) => ({ service, hostname })),
    )
  const made = await Promise.all(
    lacking.map(async ({ service, hostname }) => {
      const { expiration, ...certificate } = await makeCertificate({ hostname, ...subject }, now().getTime(), makeRsa)
      const version = service.sslKeyVersion || 1
      const cdn = data.get('cdns', service.cdnId)?.name ?? ''
      const keys: SslKeys = {
        cdn,
        deliveryservice: service.xmlId,
        version,
        hostname,
        ...subject,
        expiration,
        certificate,
      }
      const sealed = vault.seal(JSON.stringify(keys))
      return { deliveryServiceId: service.id, version, hostname, expires: expiration, sealed }
    }),
  )
  await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    for (const record of made) transaction.create('sslKeys', record)
    transaction.log('Made certificates for the sample CDN')
  })
}
