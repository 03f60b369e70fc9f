// The interface of payment-log.ts: settlements found on chain and the read position of each chain; part of the Store interface.

/**
 * How an x402 payment was settled: by a signed authorization of the token itself (EIP-3009), by Permit2 through an x402 proxy, or
 * in a transaction that a known facilitator sent.
 */
export const SETTLEMENT_METHODS = ['authorization', 'permit2', 'facilitator'] as const
export type SettlementMethod = (typeof SETTLEMENT_METHODS)[number]

/** An x402 settlement to a registered address. Chain, transaction and log index identify it. */
export type SettlementRecord = {
  /** CAIP-2. */
  readonly chain: string
  readonly transaction: string
  readonly logIndex: number
  readonly block: number
  /** Time of the block, ISO 8601 UTC. */
  readonly at: string
  /** Asset, payer and payee are addresses in normalised spelling. */
  readonly asset: string
  readonly payer: string
  readonly payee: string
  /** Exact decimal, in units of the asset. */
  readonly amount: string
  readonly method: SettlementMethod
  /** null if it counts for no service. */
  readonly serviceId: string | null
}

export type PaymentTotals = {
  readonly txCount: number
  /** Exact decimal. */
  readonly totalRevenue: string
  /** Number of distinct payers. */
  readonly payers: number
  readonly lastPaymentAt: string | null
}

export const NO_TOTALS: PaymentTotals = Object.freeze({
  txCount: 0,
  totalRevenue: '0',
  payers: 0,
  lastPaymentAt: null,
})

/** The block up to which a chain has been read. */
export type ChainCursor = { readonly block: number }

/** Which transfers of an address are read: those it received, or those it sent. */
export type Side = 'received' | 'sent'

/** A side of an address that is read: complete from block `readFrom` to the cursor, and wanted from block `goal`. */
export type Payee = {
  readonly address: string
  readonly side: Side
  readonly readFrom: number
  readonly goal: number
  /** Identifies the set of services by which its payments were credited; '' before that. */
  readonly plan: string
}

/** A transfer of any kind that a payee sent. */
export type Sent = { readonly payee: string; readonly receiver: string; readonly block: number }

/** What was read from a chain; applied atomically. */
export type ChainStep = {
  readonly payments?: readonly SettlementRecord[]
  readonly sent?: readonly Sent[]
  /** New payees, or ones with a new `readFrom` and `goal`. */
  readonly payees?: readonly Payee[]
  /** Addresses that no entry lists any more; what was read of them is deleted. */
  readonly dropped?: readonly Pick<Payee, 'address' | 'side'>[]
  readonly cursor?: ChainCursor
}

/** A position among the payments to one address. */
export type PaymentPlace = { readonly block: number; readonly logIndex: number; readonly transaction: string }

export type Crediting = {
  readonly payee: string
  /** Becomes the payee's `plan` once all its payments are credited. */
  readonly plan: string
  /** The services of the plan; their standing is updated if it differs from the stored sums. */
  readonly services: readonly string[]
  /** Pure: it is called again if the transaction is retried. */
  readonly creditTo: (payment: SettlementRecord) => string | null
}

/** Every write names the cursor it builds on. If another process has moved it, the write resolves to false and changes nothing. */
export interface PaymentLog {
  cursor(chain: string): Promise<ChainCursor | undefined>
  payees(chain: string): Promise<Payee[]>
  /**
   * Stores new payments, uncredited if their service has moved since they were read, and updates `txCount` and `totalRevenue` of
   * their services in the same transaction. Takes a seq for each service and appends no event.
   */
  advance(chain: string, from: ChainCursor | undefined, step: ChainStep): Promise<boolean>
  /**
   * Credits one page of the payments to an address again, after the given position, and updates the sums. Resolves to the position
   * to continue from, or to true after the last page, which stores the plan.
   */
  credit(
    chain: string,
    from: ChainCursor,
    crediting: Crediting,
    after?: PaymentPlace,
  ): Promise<PaymentPlace | boolean>
  totals(serviceId: string): Promise<PaymentTotals>
  /** Whether money of the payee has reached the payer, directly or over settlements of at least `minVolume`, as far as the chain was read. */
  isRing(chain: string, payee: string, payer: string, minVolume: number): Promise<boolean>
  /** Payments to one address, uncredited ones included, newest first. */
  received(chain: string, payee: string, limit: number): Promise<SettlementRecord[]>
}
