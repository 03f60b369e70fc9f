// Settlements seen on chain and how far each chain has been read; part of the Store interface.

/**
 * How an x402 payment was settled: by a signed authorization of the token itself (EIP-3009), by Permit2 through a proxy of x402, or
 * in a transaction that a known facilitator sent.
 */
export const SETTLEMENT_METHODS = ['authorization', 'permit2', 'facilitator'] as const
export type SettlementMethod = (typeof SETTLEMENT_METHODS)[number]

/** An x402 settlement to a registered address, as it lies on its chain. Its chain, transaction and log index make it one of a kind. */
export type SettlementRecord = {
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
  readonly method: SettlementMethod
  /** null: it counts for nobody. */
  readonly serviceId: string | null
}

/** The columns of the table in both engines, in the order in which `toSettlementRecord` reads them. */
export const SETTLEMENT_COLUMNS =
  'chain, tx_hash, log_index, block, at, asset, payer, payee, amount, method, service_id'

export const toSettlementRecord = (row: readonly unknown[]): SettlementRecord => ({
  chain: row[0] as string,
  transaction: row[1] as string,
  logIndex: row[2] as number,
  block: row[3] as number,
  at: row[4] as string,
  asset: row[5] as string,
  payer: row[6] as string,
  payee: row[7] as string,
  amount: row[8] as string,
  method: row[9] as SettlementMethod,
  serviceId: row[10] as string | null,
})

export type PaymentTotals = {
  readonly txCount: number
  /** Exact decimal. */
  readonly totalRevenue: string
  /** Different payers. */
  readonly payers: number
  readonly lastPaymentAt: string | null
}

export const NO_TOTALS: PaymentTotals = Object.freeze({
  txCount: 0,
  totalRevenue: '0',
  payers: 0,
  lastPaymentAt: null,
})

export type Checkpoint = { readonly block: number; readonly hash: string }

/** The block up to which a chain has been read, and earlier ones by which a reorganisation is traced back, newest first. */
export type ChainCursor = Checkpoint & { readonly earlier: readonly Checkpoint[] }

/** What of an address is read: what it received, or also whom it sent money to. */
export type Side = 'received' | 'sent'

/** A side of an address that is read: complete from `readFrom` up to the cursor, and wanted from `goal`. */
export type Payee = {
  readonly address: string
  readonly side: Side
  readonly readFrom: number
  readonly goal: number
  /** Names the services at the address by which its payments are credited; '' where they are not yet. */
  readonly plan: string
}

/** Money that a payee sent to somebody, by whatever transfer. */
export type Sent = { readonly payee: string; readonly receiver: string; readonly block: number }

/** What was read, applied as a whole or not at all. */
export type ChainStep = {
  readonly payments?: readonly SettlementRecord[]
  readonly sent?: readonly Sent[]
  /** Added, or with a new `readFrom` and `goal`. */
  readonly payees?: readonly Payee[]
  /** What nobody has registered any more: what was read of it is forgotten. */
  readonly dropped?: readonly Pick<Payee, 'address' | 'side'>[]
  readonly cursor?: ChainCursor
}

/** A place among the payments to one address. */
export type PaymentPlace = { readonly block: number; readonly logIndex: number; readonly transaction: string }

export type Crediting = {
  readonly payee: string
  /** What the payee's `plan` shall be once all its payments are credited by it. */
  readonly plan: string
  /** The services of the plan: their standing is told anew where it is not what is kept here. */
  readonly services: readonly string[]
  /** Pure: it is called again where the transaction has to be repeated. */
  readonly creditTo: (payment: SettlementRecord) => string | null
}

/** Every write names the cursor it builds on and answers false, writing nothing, where another process has moved it. */
export interface PaymentLog {
  cursor(chain: string): Promise<ChainCursor | undefined>
  payees(chain: string): Promise<Payee[]>
  /**
   * Keeps payments that are not kept yet, as nobody's where their service has moved since they were read, and brings `txCount` and
   * `totalRevenue` of their services up to date in the same transaction: this draws a seq for each, and appends no event.
   */
  advance(chain: string, from: Checkpoint | undefined, step: ChainStep): Promise<boolean>
  /**
   * Credits the payments to one address anew, a page of them after the given place, and brings the sums up to date. Resolves to the
   * place to go on from, or to true after the last page, which keeps the plan.
   */
  credit(
    chain: string,
    from: Checkpoint,
    crediting: Crediting,
    after?: PaymentPlace,
  ): Promise<PaymentPlace | boolean>
  /** Undoes everything after the block of `to`; without it, everything of the chain, so that it is read anew. */
  rewind(chain: string, from: Checkpoint, to: ChainCursor | undefined): Promise<boolean>
  totals(serviceId: string): Promise<PaymentTotals>
  /** Whether money of the payee has come to the payer, directly or along settlements of at least so much, as far as the chain was read. */
  isRing(chain: string, payee: string, payer: string, least: number): Promise<boolean>
  /** Payments to one address, those of nobody included, newest first. */
  received(chain: string, payee: string, limit: number): Promise<SettlementRecord[]>
}
