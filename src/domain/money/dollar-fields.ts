// The price in US dollars, as responses have it.
import { z } from 'zod'

export const dollarFields = {
  usdPrice: z.string().nullable().describe('Price per request in US dollars; null if no rate is known'),
  usdPriceAt: z
    .string()
    .meta({ format: 'date' })
    .nullable()
    .describe('Date of the exchange rate; null if none is needed or known'),
}

export const toDollarFields = (
  price: { readonly amount: string; readonly rateDate: string | null } | undefined,
) => ({ usdPrice: price?.amount ?? null, usdPriceAt: price?.rateDate ?? null })
