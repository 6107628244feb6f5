import { defineKind } from '../defineKind.js'
import { flag, integer, moment, optional, ref, text } from '../fields.js'

export const fields = {
  username: text({ unique: true, pattern: '^\\S+$', form: 'one word, without spaces' }),
  fullName: text(),
  email: text({ unique: true, max: 254, format: 'email' }),
  role: ref('roles', { nameAliases: ['roleName', 'rolename'] }),
  tenantId: ref('tenants', {
    nameAliases: ['tenant'],
    default: null,
    description: "The caller's own tenant when the body names none.",
  }),
  company: optional(text()),
  addressLine1: optional(text()),
  addressLine2: optional(text()),
  city: optional(text()),
  stateOrProvince: optional(text()),
  postalCode: optional(text()),
  country: optional(text()),
  phoneNumber: optional(text()),
  publicSshKey: optional(text({ max: 8192, lines: true })),
  gid: optional(integer()),
  uid: optional(integer()),
  newUser: flag({ default: false, description: 'Has not chosen a password and profile of their own yet.' }),
  registrationSent: optional(moment({ readOnly: true, description: 'When the registration mail was sent.' })),
  passwordHash: optional(text({ readOnly: true, hidden: true, max: 512 })),
  tokenHash: optional(
    text({
      readOnly: true,
      hidden: true,
      unique: true,
      description: 'Hash of the one-time token of a registration or reset, and when it was made.',
    }),
  ),
  tokenMade: optional(moment({ readOnly: true, hidden: true })),
}

export default defineKind({
  kind: 'users',
  description: 'Somebody who logs in.',
  label: 'user',
  key: 'username',
  shownAs: ['localUser'],
  fields,
})
