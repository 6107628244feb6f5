import { cdnFile } from '../core/defineFile.js'

/** Marks the packets of a delivery service (config-files.md §6.12); remap.config names it by the mark. */
export default cdnFile({
  name: /^set_dscp_(?<dscp>\d{1,3})\.config$/,
  template: 'set_dscp_N.config',
  view: ({ parts }) => ({ dscp: Number(parts.dscp) }),
})
