/** The content owners and the people who work with them. Nobody can log in until a password is set. */
export const people = {
  tenants: [
    tenant('media-house', 'root'),
    tenant('media-house-studio', 'media-house'),
    tenant('media-house-sports', 'media-house'),
    tenant('broadcaster', 'root'),
    tenant('software-vendor', 'root'),
  ],

  users: [
    user('alex', 'Alex Moreau', 'operations', 'root', 'Edge Operator'),
    user('robin', 'Robin Fischer', 'read-only', 'root', 'Edge Operator'),
    user('cache-agent', 'Cache agent', 'ort', 'root', 'Edge Operator'),
    user('sam', 'Sam Okafor', 'portal', 'media-house', 'Media House'),
    user('kim', 'Kim Larsen', 'steering', 'media-house-sports', 'Media House'),
    user('toni', 'Toni Rossi', 'federation', 'broadcaster', 'Broadcaster'),
  ],

  deliveryServiceUsers: [{ user: 'sam', deliveryServices: ['vod', 'vod-4k'] }],
}

function tenant(name: string, parentName: string) {
  return { name, active: true, parentName }
}

function user(username: string, fullName: string, roleName: string, tenantName: string, company: string) {
  return { username, fullName, email: `${username}@example.com`, roleName, tenant: tenantName, company, newUser: false }
}
