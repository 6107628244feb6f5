import { cdnRoutes } from '../../routes/cdnRoutes.js'
import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { queueCdn } from '../../routes/servers/queueUpdateRoutes.js'
import { flag, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

const byName = { by: 'name', param: 'name' } as const

export const fields = {
  name: text({ unique: true, max: 127, pattern: '^[A-Za-z0-9.-]+$' }),
  /** Lower case; `-` for the pseudo CDN that owns what belongs to no CDN. */
  domainName: text({
    unique: true,
    max: 253,
    tidy: (domain) => domain.toLowerCase(),
    pattern: '^(-|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*)$',
  }),
  dnssecEnabled: flag({ fallback: false }),
}

export default defineResource({
  kind: 'cdns',
  label: 'cdn',
  key: 'name',
  fields,
  routes: [
    list('/cdns', { role: 'any', filters: { domainName: 'domainName', dnssecEnabled: 'dnssecEnabled' } }),
    read('/cdns/:id', { role: 'any' }),
    read('/cdns/name/:name', { role: 'any', ...byName }),
    create('/cdns', { role: 'oper' }),
    update('/cdns/:id', { role: 'oper' }),
    remove('/cdns/:id', { role: 'oper' }),
    remove('/cdns/name/:name', { role: 'oper', ...byName }),
    queueCdn,
    ...cdnRoutes,
  ],
})
