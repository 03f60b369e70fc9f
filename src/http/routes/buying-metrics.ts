// The directory's purchases, as Prometheus text.
import { fromMicroDollars } from '../../domain/money/micro-dollars.ts'
import type { PurchaseFigures, PurchaseMeter } from '../../domain/purchases/purchases.ts'

/** Reads the ledger when scraped; without the store this part is left out. */
export async function toBuyingText(buying: PurchaseMeter | undefined): Promise<string> {
  if (!buying) return ''
  const figures = await buying.figures().catch(() => undefined)
  return figures ? [...toLedgerLines(figures, buying.perDay), ''].join('\n') : ''
}

const toLedgerLines = ({ microUsd, outcomes, open }: PurchaseFigures, perDay: number): string[] => [
  '# HELP shirube_purchases_spent_dollars Spent or reserved in the last 24 hours, by all processes.',
  '# TYPE shirube_purchases_spent_dollars gauge',
  `shirube_purchases_spent_dollars ${fromMicroDollars(microUsd)}`,
  '# HELP shirube_purchases_left_dollars What the budget of 24 hours has left.',
  '# TYPE shirube_purchases_left_dollars gauge',
  `shirube_purchases_left_dollars ${fromMicroDollars(Math.max(0, perDay - microUsd))}`,
  '# HELP shirube_purchases_last_day Purchases of the last 24 hours, by outcome.',
  '# TYPE shirube_purchases_last_day gauge',
  ...Object.entries(outcomes).map(
    ([outcome, count]) => `shirube_purchases_last_day{outcome="${outcome}"} ${count}`,
  ),
  '# HELP shirube_purchases_open Purchases that are reserved or signed, and not known to be settled.',
  '# TYPE shirube_purchases_open gauge',
  `shirube_purchases_open ${open}`,
]
