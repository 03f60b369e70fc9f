/** Never contains part of a key. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** The data to sign differs from what was approved, or the reservation is lost. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned'
  constructor(readonly why: 'other' | 'lost') {
    super('Nothing was signed.')
  }
}
