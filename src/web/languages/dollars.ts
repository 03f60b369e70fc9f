// Amounts of dollars.

/** $0.10 rather than $0.1; smaller amounts keep all of their digits. */
export const withCents = (amount: string): string => (/^\d+\.\d$/.test(amount) ? `${amount}0` : amount)
