// What sellers of every kind sell and for how much, and what becomes of a purchase from them.

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const AMOUNT = '2000'
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
}
/** What fits it. */
export const GOOD = { city: 'Tokyo', degrees: 21.5 }
/** The hash of no transaction. */
export const FAKE = `0x${'fa'.repeat(32)}`

export const DELIVERED = { outcome: 'delivered', state: 'settled' } as const
export const DIFFERS = { outcome: 'delivered_not_as_declared', state: 'settled' } as const
export const REFUSES = { outcome: 'refused_after_payment', state: 'settled' } as const
export const OTHER = { outcome: 'charged_other', state: 'settled' } as const
export const SILENT = { outcome: 'settled_silent', state: 'settled', isSilent: true } as const
export const NOT_SETTLED = { outcome: 'not_settled', state: 'released' } as const
