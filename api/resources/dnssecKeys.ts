import type { ChangeContext } from '../resource/define.js'
import { defineResource } from '../resource/define.js'
import { optional, type RecordOf, ref, text } from '../resource/fields.js'

export const fields = {
  cdnId: ref('cdns', { as: ['cdnName', 'cdn'], onDelete: 'cascade' }),
  /** Null for the zone of the CDN itself. */
  deliveryServiceId: optional(ref('deliveryServices', { as: ['deliveryService'], unique: true, onDelete: 'cascade' })),
  /** The zone the keys were made for, absolute: another one means other keys. */
  zone: text({ max: 255 }),
  /** `ZoneKeys` as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

type Keys = RecordOf<typeof fields>

/** The DNSSEC keys of one zone: that of a CDN, or that of a delivery service below it. */
export default defineResource({
  kind: 'dnssecKeys',
  label: 'dnssec keys',
  key: null,
  fields,
  indexes: { ofCdnItself: ({ cdnId, deliveryServiceId }: Keys) => (deliveryServiceId === null ? cdnId : null) },
  rules: secondOfCdn,
  routes: [],
})

function* secondOfCdn({ after, data }: ChangeContext<Keys>) {
  if (after.deliveryServiceId !== null) return
  if (data.ids('dnssecKeys', 'ofCdnItself', after.cdnId).some((id) => id !== after.id))
    yield { path: 'cdnId', text: 'the CDN has dnssec keys already.', status: 409 as const }
}
