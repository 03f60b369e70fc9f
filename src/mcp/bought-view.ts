// The directory's purchases from a service, for agents: how often it delivered, and the newest purchases.
import { z } from 'zod'
import { type PurchasesAnswer, purchaseSchema, purchasesSchema } from '../domain/purchases/purchases-view.ts'

export const MAX_BOUGHT = 5

export const boughtSchema = z.object({
  ...purchasesSchema.shape.delivery.shape,
  newest: z.array(
    purchaseSchema.pick({
      at: true,
      outcome: true,
      through: true,
      charged: true,
      transaction: true,
      reasons: true,
    }),
  ),
})
type BoughtView = z.output<typeof boughtSchema>

export const toBoughtView = ({ delivery, purchases }: PurchasesAnswer): BoughtView => ({
  ...delivery,
  newest: purchases.map(({ at, outcome, through, charged, transaction, reasons }) => ({
    at,
    outcome,
    through,
    charged,
    transaction,
    reasons,
  })),
})

export function toBoughtLines({ delivery, purchases }: PurchasesAnswer): string[] {
  const [last] = purchases
  if (!last) return ['The directory has not bought from it: whether it delivers is not known.']
  const { delivered, purchases: counted, failing } = delivery
  return [
    `Bought by the directory: it delivered in ${delivered} of ${counted} purchases that count; last ${last.at}: ${last.outcome}.`,
    ...(failing ? ['It was paid several times in a row and did not deliver: do not pay it.'] : []),
  ]
}
