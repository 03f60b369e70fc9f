// Ends a purchase around one of its steps. A process that is started to be killed loads little besides what it buys with.
import type { SafeFetch, SafeRequest } from '../../src/probe/requests/safe-fetch.ts'
import type { PurchaseTable } from '../../src/store/purchases.ts'

/** Where a process can end: before or after each of its steps. */
export const STEPS = ['reserve', 'sign', 'send', 'conclude'] as const
export type End = { readonly step: (typeof STEPS)[number]; readonly when: 'before' | 'after' }

/** Whether a request carries a payment, over either transport. */
export const isPaid = ({ headers = {}, body = '' }: SafeRequest): boolean =>
  'payment-signature' in headers || 'x-payment' in headers || body.includes('"x402/payment":')

const never = () => new Promise<never>(() => {})

export type Dying = { readonly end: End; readonly die: () => void }

/** Dies around the step that it is told, and does nothing after it. */
function dieAround<A extends readonly unknown[], T>(
  step: End['step'],
  { end, die }: Dying,
  work: (...given: A) => Promise<T>,
): (...given: A) => Promise<T> {
  if (end.step !== step) return work
  return async (...given) => {
    if (end.when === 'after') await work(...given)
    die()
    return never()
  }
}

export const endTable = (purchases: PurchaseTable, dying: Dying): PurchaseTable => ({
  ...purchases,
  reserve: dieAround('reserve', dying, purchases.reserve),
  sign: dieAround('sign', dying, purchases.sign),
  conclude: dieAround('conclude', dying, purchases.conclude),
})

export function endFetch(fetch: SafeFetch, dying: Dying): SafeFetch {
  const ending = dieAround('send', dying, fetch)
  return (url, request = {}) => (isPaid(request) ? ending : fetch)(url, request)
}
