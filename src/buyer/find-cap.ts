// Finds the cap that a purchase would exceed, before the reservation. Only the reservation decides: another process may buy in between.
import { CAP_WINDOW_MS, type Caps, findExceededCap, toCapMessage } from '../domain/purchases/caps.ts'
import { payeeOf, sellingDomain } from '../domain/purchases/purchase-places.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import type { Message } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { PurchaseTable } from '../store/purchases.ts'
import type { Offer, Order } from './buyer.ts'

const PAGE = 500

/** The purchases that count against the caps now, newest first. */
export async function recentPurchases(
  purchases: Pick<PurchaseTable, 'list'>,
  clock: Clock,
): Promise<Purchase[]> {
  const start = clock.now().getTime() - CAP_WINDOW_MS
  const found: Purchase[] = []
  for (let before: string | undefined; ; ) {
    const page = await purchases.list({ limit: PAGE, before })
    const within = page.filter(({ at }) => Date.parse(at) > start)
    found.push(...within.filter(({ state }) => state !== 'released'))
    if (page.length < PAGE || within.length < page.length) return found
    before = page.at(-1)!.id
  }
}

/** @param recent the purchases that count against the caps now */
export function findCap(
  { microUsd, usd, requirements }: Offer,
  { serviceId, request }: Pick<Order, 'serviceId' | 'request'>,
  recent: readonly Purchase[],
  caps: Caps,
): Message | undefined {
  const host = sellingDomain(request.url)
  const payee = payeeOf(requirements.payTo, requirements.chain)
  const sum = (counts: (purchase: Purchase) => boolean) =>
    recent.filter(counts).reduce((total, each) => total + each.microUsd, 0)
  const spent = {
    service: sum(each => each.serviceId === serviceId),
    host: sum(each => each.host === host),
    payee: sum(each => payeeOf(each.payTo, each.chain) === payee),
    day: sum(() => true),
  }
  const passed = findExceededCap(microUsd, spent, caps)
  return passed && toCapMessage(passed, usd)
}
