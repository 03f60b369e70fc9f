// A price in one measure, as answers tell it.
import { z } from 'zod'

export const dollarFields = {
  usdPrice: z.string().nullable().describe('What a request costs in US dollars; null where no rate tells it'),
  usdPriceAt: z
    .string()
    .meta({ format: 'date' })
    .nullable()
    .describe('The date of the exchange rate; null where none is needed or known'),
}

export const toDollarFields = (
  price: { readonly amount: string; readonly rateDate: string | null } | undefined,
) => ({ usdPrice: price?.amount ?? null, usdPriceAt: price?.rateDate ?? null })
