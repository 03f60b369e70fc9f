// Takes over what another Shirube bought itself, as the word of that directory: it is shown under its name with the transaction, and
// does not count as a purchase of this one.
import { z } from 'zod'
import { chainKey } from '../domain/chains/chains.ts'
import { deriveId, idTimeMs, isServiceId } from '../domain/ids.ts'
import { asRecord } from '../domain/json.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  type PeerPurchase,
  PURCHASE_OUTCOMES,
  payeeOf,
  sellingDomain,
  toPurchaseId,
} from '../domain/purchases/purchases.ts'
import type { Store } from '../store/store.ts'
import { follows } from './followed-entries.ts'
import type { SourceReader } from './source-reader.ts'

const PAGE = 100
/** Per reading; the next one continues. */
const MAX_PAGES = 100

/** Hashes, addresses, chains and symbols. */
const word = z.string().regex(/^[\w:.-]{1,128}$/)
const digits = z.string().regex(/^\d{1,78}$/)
const decimal = z.string().regex(/^\d{1,40}(\.\d{1,40})?$/)

/** One without a transaction proves nothing. */
const toldSchema = z.object({
  id: z.string().refine(id => isServiceId(toServiceId(id))),
  serviceId: z.string().refine(isServiceId),
  source: z.literal('operator'),
  at: z.iso.datetime(),
  outcome: z.enum(PURCHASE_OUTCOMES),
  chain: word,
  asset: word,
  transaction: word,
  payment: z.object({ payer: word, payTo: word, amount: digits, price: decimal, currency: word }),
})
type Told = z.output<typeof toldSchema>

/** Both kinds of ids have the same form. */
const toServiceId = (purchaseId: string): string => purchaseId.replace(/^pur_/, 'svc_')

/**
 * @param after where the last reading ended
 * @param onPage called with the last purchase that was read
 */
export async function takePurchases(
  { store, source, sourceUrl }: TakingParts,
  base: string,
  { after, now, onPage }: { after: string; now: Date; onPage: (last: string) => Promise<void> },
): Promise<void> {
  let last = after
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(last !== '' && { after: last }) })
    // A directory of an earlier version publishes none.
    const page = asRecord(await source.maybeJson(`${base}/api/purchases?${query}`))
    if (!Array.isArray(page.purchases)) return
    const told = page.purchases.slice(0, PAGE).flatMap(each => toldSchema.safeParse(each).data ?? [])
    const toLocalId = ({ serviceId }: Told) => deriveId(serviceId, sourceUrl)
    const known = await store.lookUp(told.map(toLocalId))
    const taken = told.flatMap(each => {
      const entry = known.get(toLocalId(each))?.entry
      return entry && follows(entry, sourceUrl) ? (toPeerPurchase(entry, each, sourceUrl, now) ?? []) : []
    })
    if (taken.length > 0) await store.purchases.takeOver(taken)
    const { next } = page
    if (typeof next !== 'string' || !isServiceId(toServiceId(next)) || next <= last) return
    last = next
    await onPage(last)
  }
}

type TakingParts = {
  readonly store: Pick<Store, 'purchases' | 'lookUp'>
  readonly source: SourceReader
  readonly sourceUrl: string
}

/** undefined for a payment to another wallet than the listed one, or from the future. */
function toPeerPurchase(
  { id: serviceId, endpoint, x402Config }: Entry,
  { id, at, outcome, chain, asset, transaction, payment }: Told,
  sourceUrl: string,
  now: Date,
): PeerPurchase | undefined {
  const { payer, payTo, amount, price, currency } = payment
  const isListed =
    chain === chainKey(x402Config.network) &&
    payeeOf(payTo, chain) === payeeOf(x402Config.paymentAddress, x402Config.network)
  const isPast = idTimeMs(toServiceId(id)) <= now.getTime() && Date.parse(at) <= now.getTime()
  if (!isListed || !isPast) return undefined
  return {
    id: toPurchaseId(deriveId(toServiceId(id), sourceUrl)),
    source: 'peer',
    purpose: `peer ${sourceUrl} ${id}`,
    serviceId,
    host: sellingDomain(endpoint),
    at: new Date(at).toISOString(),
    state: 'settled',
    microUsd: 0,
    ...{ chain, asset, payTo, payer, amount },
    nonce: null,
    validBefore: null,
    charged: null,
    transaction,
    outcome,
    detail: { url: endpoint, price, currency, from: sourceUrl, reasons: [] },
  }
}
