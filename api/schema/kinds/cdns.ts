import { defineKind } from '../defineKind.js'
import { flag, text } from '../fields.js'

export const fields = {
  name: text({ unique: true, max: 127, pattern: '^[A-Za-z0-9.-]+$', form: 'letters, digits, dots and hyphens' }),
  domainName: text({
    unique: true,
    max: 253,
    normalize: (domain) => domain.toLowerCase(),
    pattern: '^(-|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*)$',
    form: 'a domain in lower case, such as cdn.example.net',
    description: 'Lower case; `-` for the pseudo CDN that owns what belongs to no CDN.',
  }),
  dnssecEnabled: flag({ default: false }),
}

export default defineKind({
  kind: 'cdns',
  description: 'A content delivery network: what is routed, snapshotted and signed together.',
  label: 'cdn',
  key: 'name',
  fields,
})
