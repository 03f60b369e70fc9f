/**
 * Another text of the kind that a schema shows, to expose a service that responds honestly to the shown example only. It resembles the
 * example, or follows from the schema; a text of unknown kind is not changed.
 */
import { ANY_TEXT, knownText } from './sample-text.ts'

type Schema = Readonly<Record<string, unknown>>
/** From 0 to 1, like Math.random. */
export type Draw = () => number

const HEX = '0123456789abcdef'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'

const WORDS =
  `river mountain coffee harbour train garden window paper silver orange winter market bridge doctor island guitar forest
  kitchen rocket morning camera library planet bicycle`.split(/\s+/)
const CITIES =
  'Osaka,Kyoto,Paris,Berlin,Lagos,Lima,Toronto,Mumbai,Oslo,Cairo,Seoul,Austin,Madrid,Nairobi'.split(',')

const KNOWN_LANGUAGES = 'en de fr es it pt ko zh'.split(' ')

type Kind = { readonly pattern: RegExp; readonly make: (shown: string, draw: Draw) => string }

/** By the pattern of the shown text; the first match decides. */
const KINDS: readonly Kind[] = [
  { pattern: /^0x[0-9a-f]+$/i, make: (shown, draw) => `0x${drawLetters(HEX, shown.length - 2, draw)}` },
  { pattern: /^https?:\/\//i, make: (_, draw) => `https://${drawHost(draw)}/${pick(WORDS, draw)}` },
  { pattern: /^[^\s@]+@[^\s@]+$/, make: (_, draw) => `${pick(WORDS, draw)}@${drawHost(draw)}` },
  { pattern: /^\d{4}-\d{2}-\d{2}/, make: (shown, draw) => `${drawDay(draw)}${shown.slice(10)}` },
  { pattern: /^\d{1,3}(\.\d{1,3}){3}$/, make: (_, draw) => `198.51.100.${1 + Math.floor(draw() * 254)}` },
  {
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    make: (shown, draw) => `${shown.slice(0, -12)}${drawLetters(HEX, 12, draw)}`,
  },
  { pattern: /^\d+$/, make: (shown, draw) => `1${drawLetters(DIGITS, shown.length - 1, draw)}` },
  { pattern: /^[a-z]{2}$/, make: (_, draw) => pick(KNOWN_LANGUAGES, draw) },
  { pattern: /^[A-Z]{2}$/, make: (_, draw) => pick(['JP', 'FR', 'BR', 'DE', 'KE', 'US'], draw) },
  { pattern: /^(USD|EUR|JPY|GBP|CHF)$/, make: (_, draw) => pick(['USD', 'EUR', 'JPY', 'GBP', 'CHF'], draw) },
  { pattern: /^[A-Z]{3,6}$/, make: (shown, draw) => drawLetters(LETTERS, shown.length, draw) },
  { pattern: /^[\w-]+(\.[\w-]+)+$/, make: (_, draw) => drawHost(draw) },
  { pattern: /^Tokyo$/, make: (_, draw) => pick(CITIES, draw) },
  {
    pattern: /^[\p{L}\p{N}\s.,:;!?'"()&-]+$/u,
    make: (_, draw) => `${pick(WORDS, draw)} ${pick(WORDS, draw)}`,
  },
]

/**
 * @param name of the property, or empty
 * @param shown the example of the schema, if any
 * @returns undefined if there is no example and no other text than the usual sample
 */
export function otherText(
  schema: Schema,
  name: string,
  shown: string | undefined,
  draw: Draw,
): string | undefined {
  const known = knownText(schema, name)
  const isUnknownKind = (schema.pattern ?? schema.format) !== undefined && known === undefined
  const model = shown ?? known ?? ANY_TEXT
  const kind = isUnknownKind ? undefined : KINDS.find(({ pattern }) => pattern.test(model))
  const made = kind?.make(model, draw)
  return made !== undefined && fits(made, schema) ? made : shown
}

const fits = ({ length }: string, { minLength, maxLength }: Schema): boolean =>
  !(typeof minLength === 'number' && length < minLength) &&
  !(typeof maxLength === 'number' && length > maxLength)

/** Draws one of the values. */
export const pick = <T>(values: readonly T[], draw: Draw): T =>
  values[Math.min(Math.floor(draw() * values.length), values.length - 1)]!

const drawLetters = (of: string, length: number, draw: Draw): string =>
  Array.from({ length }, () => pick([...of], draw)).join('')

const drawHost = (draw: Draw): string => `${pick(WORDS, draw)}.example.${pick(['com', 'net', 'org'], draw)}`

const drawDay = (draw: Draw): string => {
  const of = (count: number) => String(1 + Math.floor(draw() * count)).padStart(2, '0')
  return `2026-${of(12)}-${of(28)}`
}
