// Payments seen on chain and how far each chain has been read; part of the Store interface.

/** A transfer to a registered address, as it lies on its chain. Its chain, transaction and log index make it one of a kind. */
export type Payment = {
  /** CAIP-2. */
  readonly chain: string
  readonly transaction: string
  readonly logIndex: number
  readonly block: number
  /** Time of the block, ISO 8601 UTC. */
  readonly at: string
  /** Addresses of the asset and of both sides, each in one spelling. */
  readonly asset: string
  readonly payer: string
  readonly payee: string
  /** Exact decimal, in units of the asset. */
  readonly amount: string
  /** null: ambiguous, so it counts for nobody. */
  readonly serviceId: string | null
}

export type PaymentTotals = {
  readonly txCount: number
  /** Exact decimal. */
  readonly totalRevenue: string
  /** Different payers. */
  readonly payers: number
  readonly lastPaymentAt: string | null
}

export type Checkpoint = { readonly block: number; readonly hash: string }

/** The block up to which a chain has been read, and earlier ones by which a reorganisation is traced back, newest first. */
export type ChainCursor = Checkpoint & { readonly earlier: readonly Checkpoint[] }

/** An address whose payments are read: complete from `readFrom` up to the cursor, and wanted from `goal`. */
export type Payee = { readonly address: string; readonly readFrom: number; readonly goal: number }

/** What was read, applied as a whole or not at all. */
export type ChainStep = {
  readonly payments?: readonly Payment[]
  /** Added, or with a new `readFrom` and `goal`. */
  readonly payees?: readonly Payee[]
  /** Addresses that nobody has registered any more. */
  readonly dropped?: readonly string[]
  readonly cursor?: ChainCursor
}

/** Every write names the cursor it builds on and answers false, writing nothing, where another process has moved it. */
export interface PaymentLog {
  cursor(chain: string): Promise<ChainCursor | undefined>
  payees(chain: string): Promise<Payee[]>
  /**
   * Keeps payments that are not kept yet, as nobody's where their service has moved since they were read, and brings `txCount` and `totalRevenue` of their services up to date in the same
   * transaction: this draws a seq for each, and appends no event.
   */
  advance(chain: string, from: Checkpoint | undefined, step: ChainStep): Promise<boolean>
  /** Undoes everything after the block of `to`; without it, everything of the chain, so that it is read anew. */
  rewind(chain: string, from: Checkpoint, to: ChainCursor | undefined): Promise<boolean>
  totals(serviceId: string): Promise<PaymentTotals>
  /** Payments to one address, ambiguous ones included, newest first. */
  received(chain: string, payee: string, limit: number): Promise<Payment[]>
}
