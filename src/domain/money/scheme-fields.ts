// The fields of a payment scheme in `extra` that move money besides payee and amount: deposits, fees, parties that can withdraw or withhold
// the payment. `extra` is untrusted, so it is read within bounds.
import { isRecord } from '../json.ts'

/** Schemes in which a request costs its amount, or less. */
const PER_REQUEST: readonly string[] = ['exact', 'upto', 'charge']

/** Whether at most the amount is transferred, and only to the payee. */
export const isPerRequest = (scheme: string): boolean => PER_REQUEST.includes(scheme)

/** Names of fields that can cost the payer money; the party that pays the gas receives nothing, and names and nonces move nothing. */
const RISKS = /deposit|fee(?!_?payer)|recipient|receiver|withdraw|authori[sz]er|operator|escrow|split|policy/i
const MOVES_MONEY = new RegExp(`${RISKS.source}|transfer_?method|payment_?flow`, 'i')
/** Fields that are compared. */
const MAX_FIELDS = 32
/** Fields, and parts of a value, that are shown to people. */
const MAX_SHOWN = 8
/** Characters of a name and of a value. */
const MAX_NAME = 64
const MAX_VALUE = 80

/** Equal if the fields that move money are equal, whatever else differs. */
export const moneyKey = (extra: unknown): string =>
  fieldsOf(extra, MOVES_MONEY, MAX_FIELDS)
    .map(([name, value]) => JSON.stringify([name, value]))
    .join('')

/** For people, like `minDeposit 5000000`. */
export const risksIn = (extra: unknown): string[] =>
  fieldsOf(extra, RISKS, MAX_SHOWN).map(([name, value]) => `${name} ${value}`)

function fieldsOf(extra: unknown, names: RegExp, maxFields: number): (readonly [string, string])[] {
  if (!isRecord(extra)) return []
  return Object.keys(extra)
    .filter(name => name.length <= MAX_NAME && names.test(name) && extra[name] != null)
    .sort()
    .slice(0, maxFields)
    .map(name => [toVisible(name), toText(extra[name], 2)] as const)
}

/** Mixed case in hexadecimal is only a checksum. */
const toScalar = (value: unknown): string => {
  const text = String(value)
  return /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : text
}

/** Values nested deeper than any scheme has them are cut. */
function toText(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return toVisible(toScalar(value).slice(0, MAX_VALUE))
  if (depth === 0) return '…'
  const parts = Object.entries(value)
    .slice(0, MAX_SHOWN)
    .map(([key, part]) => `${key.slice(0, MAX_NAME)} ${toText(part, depth - 1)}`)
  return toVisible(parts.join(', ').slice(0, MAX_VALUE))
}

const toVisible = (text: string): string => text.replace(/[^\x20-\x7e…]/g, '?')

/** A fee up to this share of the amount, in basis points, is the usual charge of a payment processor. */
const MAX_FEE_BPS = 1_000

/** The recipient of a fee that is so high that it is a part of the payment; undefined if there is none. */
export function feePayee(extra: unknown): string | undefined {
  if (!isRecord(extra) || typeof extra.feeRecipient !== 'string') return undefined
  const share = Math.max(...[extra.minFeeBps, extra.maxFeeBps, extra.feeBps].map(toShare))
  return share > MAX_FEE_BPS ? extra.feeRecipient : undefined
}

/** A value that is not a number may mean any share. */
const toShare = (bps: unknown): number => {
  if (bps === undefined || bps === null) return 0
  const number = typeof bps === 'object' ? Number.NaN : Number(bps)
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
}
