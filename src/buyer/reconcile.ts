// Concludes purchases that are still reserved or signed: after a process ended, a response without a clear result, or an unavailable
// node.
import type { Purchase } from '../domain/purchases/purchases.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Conclusion, PurchaseTable } from '../store/purchases.ts'
import { concludeFrom, lookUpUse, type SettlementReader } from './settlements.ts'

/** Longer than any purchase takes: a younger one may be in progress. */
const MIN_AGE_MS = 5 * 60_000
/** Allows for the clocks that date blocks. */
const LATE_SECONDS = 120
const PAGE = 100

export function createReconcile({
  purchases,
  reader,
  clock,
  onConcluded,
}: {
  readonly purchases: PurchaseTable
  readonly reader: SettlementReader
  readonly clock: Clock
  readonly onConcluded: ((purchase: Purchase) => Promise<void>) | undefined
}): () => Promise<readonly Purchase[]> {
  async function lookUp(purchase: Purchase): Promise<Conclusion | undefined> {
    // The process that reserved it will find it released, and sign nothing.
    if (purchase.state === 'reserved') return RELEASED(purchase)
    const isRead = reader.reads(purchase.chain)
    const use = await lookUpUse(reader, purchase, clock)
    const isOver = (purchase.validBefore ?? 0) + LATE_SECONDS < clock.now().getTime() / 1000
    const conclusion = concludeFrom(purchase, { use, isRead, isLast: !isRead && isOver })
    return conclusion.state === 'signed' ? undefined : conclusion
  }

  return async () => {
    const concluded: Purchase[] = []
    for (let after = ''; ; ) {
      const page = await purchases.open(PAGE, after)
      for (const purchase of page) {
        if (clock.now().getTime() - Date.parse(purchase.at) < MIN_AGE_MS) continue
        const conclusion = await lookUp(purchase)
        if (!conclusion || !(await purchases.conclude(purchase.id, conclusion))) continue
        const ended = { ...purchase, ...conclusion }
        concluded.push(ended)
        await onConcluded?.(ended)
      }
      const last = page.at(-1)
      if (!last || page.length < PAGE) return concluded
      after = last.id
    }
  }
}

const RELEASED = (purchase: Purchase): Conclusion => ({
  state: 'released',
  charged: null,
  transaction: null,
  outcome: null,
  detail: { ...purchase.detail, reasons: [say('reservation_lost')] },
})
