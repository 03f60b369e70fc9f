// Payers' reports about a service, for agents.
import { z } from 'zod'
import { type OutcomesAnswer, outcomesSchema } from '../domain/purchases/outcomes.ts'

export const MAX_PAYER_REPORTS = 5

export const payerReportsSchema = z.object({
  ...outcomesSchema.shape.payers.shape,
  newest: z
    .array(z.record(z.string(), z.unknown()))
    .describe('Newest first, with the fields of /api/services/{id}/outcomes'),
})
type PayerReportsView = z.output<typeof payerReportsSchema>

export const toPayerReportsView = ({ payers, outcomes }: OutcomesAnswer): PayerReportsView => ({
  ...payers,
  newest: outcomes.map(outcome => ({ ...outcome })),
})

export function toPayerReportLines({ payers: { settlement } }: OutcomesAnswer): string[] {
  if (settlement.payers === 0) return []
  return [
    `Reported by payers, not checked by the directory: it delivered to ${settlement.delivered} of ${settlement.payers} whose payment was seen on chain.`,
  ]
}
