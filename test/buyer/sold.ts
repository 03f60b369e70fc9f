// What sellers of every kind sell, and what becomes of a purchase from them.

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
