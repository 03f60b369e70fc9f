/** Carries no part of a key. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** What was asked to be signed is not what was approved, or the reservation is gone. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned'
  constructor(readonly why: 'other' | 'lost') {
    super('Nothing was signed.')
  }
}
