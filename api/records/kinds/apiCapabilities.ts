import { defineBehaviour } from '../defineBehaviour.js'

export default defineBehaviour('apiCapabilities', {
  *rules({ after, data }) {
    const key = JSON.stringify([after.httpMethod, after.httpRoute])
    const twin = data.by('apiCapabilities', 'methodRoute', key).find(({ id }) => id !== after.id)
    if (!twin) return
    const name = data.get('capabilities', twin.capability)?.name
    const text = `HTTP method '${after.httpMethod}', route '${after.httpRoute}' are already mapped to capability: ${name}`
    yield { path: 'httpRoute', text, status: 409 as const }
  },
})
