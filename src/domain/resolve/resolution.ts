// The response to "is this safe to pay?".
import { z } from 'zod'
import { STATUSES } from '../standing.ts'
import { PRICES_SEEN } from '../terms.ts'

export const VERDICTS = ['clear', 'caution', 'stop', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

export const resolutionSchema = z
  .object({
    url: z.string().describe('As requested'),
    verdict: z
      .enum(VERDICTS)
      .describe(
        'clear: verified, and all given values are as listed and seen; caution: check before paying; stop: do not pay; unknown: not listed, and no verified listing was removed',
      ),
    reasons: z.array(
      z.object({
        code: z.string().describe('For programs; docs/messages.md lists all codes'),
        text: z.string(),
        values: z.record(z.string(), z.unknown()).describe('The values in the text, by name'),
      }),
    ),
    service: z
      .object({ id: z.string(), name: z.string(), status: z.enum(STATUSES), trustScore: z.int() })
      .optional()
      .describe('The listing that represents the URL'),
    listed: z
      .object({
        endpoint: z.string(),
        paymentAddress: z.string(),
        network: z.string(),
        currency: z.string(),
        pricePerRequest: z.string(),
      })
      .optional()
      .describe('The listing of its provider'),
    seen: z
      .object({
        price: z.enum(PRICES_SEEN).describe('The requested price compared with the listed one'),
        ways: z
          .array(
            z.object({
              scheme: z.string(),
              chain: z.string(),
              asset: z.string(),
              amount: z.string(),
              payTo: z.string(),
              since: z
                .string()
                .optional()
                .meta({ format: 'date-time' })
                .describe(
                  'When its payee appeared on a chain other than the registered one, where other payees were seen before',
                ),
              risks: z
                .array(z.string())
                .optional()
                .describe(
                  'Deposits, fees and the like in the fields of the scheme, where it can transfer more than the amount',
                ),
            }),
          )
          .describe('The payment requirements that its endpoint offers'),
      })
      .optional()
      .describe('The terms that its endpoint was seen to declare'),
    seenAt: z.string().optional().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Resolution', title: 'Whether a URL is safe to pay' })
export type Resolution = Readonly<z.output<typeof resolutionSchema>>
