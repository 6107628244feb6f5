import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('cdns', {
  // The hosts of its delivery services are below its domain, and signed or not; routers ask for it by its name.
  defines: ['name', 'domainName', 'dnssecEnabled'],
})
