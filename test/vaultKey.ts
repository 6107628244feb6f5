/** A vault key as it is, for tests that set one: a passphrase would be stretched by every start, for a tenth of a second. */
export const vaultKeyText = 'b7'.repeat(32)
