// What was left reserved or signed: by a process that ended, by an answer that did not tell, by a chain that was away.
import type { Purchase } from '../domain/purchases.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Conclusion, PurchaseTable } from '../store/purchases.ts'
import { concludeFrom, lookFor, type SettlementReader } from './settlements.ts'

/** Longer than any purchase takes: what is younger may be in hand. */
const LEFT_MS = 5 * 60_000
/** Blocks are dated by others' clocks. */
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
  async function look(purchase: Purchase): Promise<Conclusion | undefined> {
    // Whoever reserved it finds it released, and signs nothing.
    if (purchase.state === 'reserved') return RELEASED(purchase)
    const isRead = reader.reads(purchase.chain)
    const found = await lookFor(reader, purchase, clock)
    const isOver = (purchase.validBefore ?? 0) + LATE_SECONDS < clock.now().getTime() / 1000
    const conclusion = concludeFrom(purchase, { found, isRead, isLast: !isRead && isOver })
    return conclusion.state === 'signed' ? undefined : conclusion
  }

  return async () => {
    const concluded: Purchase[] = []
    for (let after = ''; ; ) {
      const page = await purchases.open(PAGE, after)
      for (const purchase of page) {
        if (clock.now().getTime() - Date.parse(purchase.at) < LEFT_MS) continue
        const conclusion = await look(purchase)
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
