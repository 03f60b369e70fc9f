/**
 * What a scheme's own fields do with money beside payee and amount: deposits, fees, who may take or hold back what was handed over.
 * `extra` is a stranger's: whatever stands in it is looked at within bounds.
 */

/** By these a request costs what its amount says, or less. */
const PER_REQUEST: readonly string[] = ['exact', 'upto']

/** Whether no more than the amount changes hands, and to the payee alone. */
export const isPerRequest = (scheme: string): boolean => PER_REQUEST.includes(scheme)

/** Who pays the gas gets nothing, and names and nonces move nothing. */
const RISKS = /deposit|fee(?!_?payer)|recipient|receiver|withdraw|authori[sz]er|operator|escrow|split|policy/i
const MOVES_MONEY = new RegExp(`${RISKS.source}|transfer_?method|payment_?flow`, 'i')
const MAX_FIELDS = 32
const MAX_TOLD = 8
const MAX_NAME = 64
const MAX_VALUE = 80

/** The same for the same money, whatever else differs. */
export const moneyKey = (extra: unknown): string =>
  fieldsOf(extra, MOVES_MONEY, MAX_FIELDS)
    .map(([name, value]) => JSON.stringify([name, value]))
    .join('')

/** For people: like `minDeposit 5000000`. */
export const risksIn = (extra: unknown): string[] =>
  fieldsOf(extra, RISKS, MAX_TOLD).map(([name, value]) => `${name} ${value}`)

function fieldsOf(extra: unknown, names: RegExp, most: number): (readonly [string, string])[] {
  if (!isRecord(extra)) return []
  return Object.keys(extra)
    .filter(name => name.length <= MAX_NAME && names.test(name) && extra[name] != null)
    .sort()
    .slice(0, most)
    .map(name => [toVisible(name), toText(extra[name], 2)] as const)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of hexadecimal digits mixed case is only a checksum. */
const toScalar = (value: unknown): string => {
  const text = String(value)
  return /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text
}

/** What lies deeper than any scheme has it is not told. */
function toText(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return toVisible(toScalar(value).slice(0, MAX_VALUE))
  if (depth === 0) return '…'
  const parts = Object.entries(value)
    .slice(0, MAX_TOLD)
    .map(([key, part]) => `${key.slice(0, MAX_NAME)} ${toText(part, depth - 1)}`)
  return toVisible(parts.join(', ').slice(0, MAX_VALUE))
}

const toVisible = (text: string): string => text.replace(/[^\x20-\x7e…]/g, '?')

/** A fee up to this share of the amount is what whoever carries a payment takes for it. */
const MAX_FEE_BPS = 1_000

/** Whom a fee goes to that is no fee any more but a part of the payment; undefined where there is none. */
export function feePayee(extra: unknown): string | undefined {
  if (!isRecord(extra) || typeof extra.feeRecipient !== 'string') return undefined
  const share = Math.max(...[extra.minFeeBps, extra.maxFeeBps, extra.feeBps].map(toShare))
  return share > MAX_FEE_BPS ? extra.feeRecipient : undefined
}

/** What is no number may be any. */
const toShare = (bps: unknown): number => {
  if (bps === undefined || bps === null) return 0
  const number = typeof bps === 'object' ? Number.NaN : Number(bps)
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
}
