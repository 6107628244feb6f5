/** Seals private material with the vault key. */
export interface Vault {
  /** The fingerprint of the key; says nothing about it. */
  readonly id: string
  /** With a fresh nonce. */
  seal(plain: string): string
  /** The same text for the same plain text in the same place, so that documents of equal data are equal. */
  sealAlike(plain: string, place: string): string
  /** Throws VaultError when another key sealed it or when it was changed since. */
  unseal(sealed: string): string
}
