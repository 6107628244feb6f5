import type { Fault } from './errors.js'

/** The rules a new password must keep (beyond.md §1.2), with the field's texts. */
export function passwordFaults(password: unknown, confirmation: unknown, username: unknown): Fault[] {
  const path = 'localPassword'
  if (typeof password !== 'string') return [{ path, text: 'localPassword must be a string' }]
  const texts = [
    password.length < 8 && 'Password must be greater than 7 chars.',
    password.length > 1024 && 'Password must be at most 1024 chars.',
    password === username && 'Your password cannot be the same as your username.',
    password !== confirmation && "Your 'New Password' must match the 'Confirm New Password'.",
    common.has(password.toLowerCase()) && 'Password is too common.',
  ]
  return texts.flatMap((text) => (text ? [{ path, text }] : []))
}

/** Those of eight characters and more that every guessing list begins with, and the likely ones of this field. */
const common = new Set(
  `12345678 123456789 1234567890 123123123 11111111 00000000 87654321 88888888 12341234 1q2w3e4r 1qaz2wsx 1q2w3e4r5t
  qwertyui qwertyuiop qwerty123 qwerty12 asdfghjk asdfghjkl zxcvbnm1 password password1 password12 password123
  passw0rd p@ssw0rd p@ssword pa55word letmein1 letmein123 welcome1 welcome123 iloveyou sunshine princess football
  baseball superman batman123 trustno1 starwars whatever computer internet dragon123 monkey123 shadow123 master123
  michelle jennifer danielle jordan23 charlie1 liverpool chelsea1 administrator admin123 admin1234 adminadmin root1234
  changeme changeme1 changeit default1 secret123 testtest test1234 twelve12 operator operations traffic1 trafficops
  trafficcontrol edgewright abcd1234 abc12345 a1b2c3d4 aaaaaaaa abcdefgh abcdefg1 q1w2e3r4 q1w2e3r4t5 zaq12wsx
  123qweasd 1234qwer qweasdzxc 55555555 66666666 77777777 99999999 147258369 987654321 11223344 12121212 10203040
  samsung1 corvette mercedes maverick steelers midnight bigdaddy blahblah`
    .split(/\s+/)
    .filter(Boolean),
)
