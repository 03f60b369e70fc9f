// The answer to "is this safe to pay?".
import { z } from 'zod'
import { STATUSES } from '../standing.ts'
import { PRICES_SEEN } from '../terms.ts'

export const VERDICTS = ['clear', 'caution', 'stop', 'unknown'] as const
export type Verdict = (typeof VERDICTS)[number]

export const resolutionSchema = z
  .object({
    url: z.string().describe('As it was asked for'),
    verdict: z
      .enum(VERDICTS)
      .describe(
        'clear: verified, and all given values are as listed and seen; caution: think twice; stop: do not pay; unknown: not listed, and nothing that was verified was removed',
      ),
    reasons: z.array(
      z.object({
        code: z.string().describe('For programs; docs/messages.md has all codes'),
        text: z.string(),
        values: z.record(z.string(), z.unknown()).describe('The values in the text, by name'),
      }),
    ),
    service: z
      .object({ id: z.string(), name: z.string(), status: z.enum(STATUSES), trustScore: z.int() })
      .optional()
      .describe('The listing that speaks for the URL'),
    listed: z
      .object({
        endpoint: z.string(),
        paymentAddress: z.string(),
        network: z.string(),
        currency: z.string(),
        pricePerRequest: z.string(),
      })
      .optional()
      .describe('What its provider says'),
    seen: z
      .object({
        price: z.enum(PRICES_SEEN).describe('What was asked, compared with the listed price'),
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
                  'When its payee arrived on a chain besides the registered one, where others were seen before',
                ),
              risks: z
                .array(z.string())
                .optional()
                .describe(
                  'Deposits, fees and the like that its own fields set, where its scheme hands over more than the amount',
                ),
            }),
          )
          .describe('The ways to pay that its endpoint itself offers'),
      })
      .optional()
      .describe('What its endpoint was seen to ask for'),
    seenAt: z.string().optional().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Resolution', title: 'Whether a URL is safe to pay' })
export type Resolution = Readonly<z.output<typeof resolutionSchema>>
