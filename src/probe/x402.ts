/** Reads the terms of payment out of an answer, in every form that servers really send: a pure function that never throws. */

import { addressKey } from '../domain/same-address.ts'
import { MAX_WAYS } from '../domain/terms.ts'
import { type Message, say, unique } from '../messages/message.ts'
import { type Payment, readEntry } from './accepted-payment.ts'
import { type Described, describe } from './describe-resource.ts'
import { isRecord } from './strangers-json.ts'
import { firstFew, shownValue } from './strangers-text.ts'

export type X402Answer = {
  readonly status: number
  readonly headers: { get(name: string): string | null | undefined }
  readonly body: Uint8Array | string
}

export type Reading = {
  /** What a careful owner would put right although it can be read. */
  readonly notes: readonly Message[]
  /** Ways to pay that are not x402, by their scheme in WWW-Authenticate. */
  readonly otherRails: readonly string[]
  /** A wallet's signature opens it too; where nothing is to be paid, it alone does. */
  readonly signIn: boolean
} & (
  | {
      readonly readable: true
      readonly version: 1 | 2
      readonly from: 'header' | 'body'
      /** Empty only where signing in is all that is asked. */
      readonly payments: readonly Payment[]
      /** What the answer says of the resource besides. */
      readonly described: Described
    }
  | { readonly readable: false; readonly problems: readonly Message[] }
)

type Found = { readonly from: 'header' | 'body'; readonly terms: Readonly<Record<string, unknown>> }

export function readTerms({ status, headers, body }: X402Answer): Reading {
  const otherRails = readOtherRails(headers.get('www-authenticate') ?? '')
  const header = readHeader(headers.get('payment-required'))
  const fromBody = readBody(body)
  const found = [header, fromBody].filter(place => place !== undefined && 'terms' in place) as Found[]
  const readings = found.map(readFound)
  const best = readings.find(reading => reading.readable) ?? readings[0]
  const headerProblem = header && 'code' in header ? [header] : []

  if (status !== 402) {
    const problem = say('answers_without_402', { status, namesTerms: best?.readable ?? false })
    return { readable: false, problems: [problem], notes: [], otherRails, signIn: best?.signIn ?? false }
  }
  if (!best) {
    const problems = headerProblem.length > 0 ? headerProblem : [say('no_terms', { otherRails })]
    return { readable: false, problems, notes: [], otherRails, signIn: false }
  }
  if (best.readable) {
    const { payments, described, notes } = merge(readings)
    return {
      ...best,
      payments,
      described,
      notes: [...headerProblem, ...notes],
      otherRails,
    }
  }
  const problems = [
    ...headerProblem,
    ...readings.flatMap(reading => (reading.readable ? [] : reading.problems)),
  ]
  return { ...best, problems: unique(problems), otherRails }
}

/** Clients of version 2 read the header, those of version 1 the body: what either would pay counts. */
function merge(readings: readonly Reading[]): {
  payments: Payment[]
  described: Described
  notes: Message[]
} {
  const readable = readings.filter(reading => reading.readable)
  const keyed = readable.map(
    ({ payments }) => new Map(payments.map(payment => [paymentKey(payment), payment])),
  )
  // Of one way in both places the first, which is the header's: it is told in the version that is told.
  const all = new Map(keyed.flatMap(place => [...place]).toReversed())
  const notes = readable.flatMap(reading => reading.notes)
  const differ = keyed.some(place => place.size !== all.size)
  if (differ) notes.push(say('terms_differ'))
  // The same terms in both places are how one server speaks to clients of both versions: nothing to put right.
  const isTwofold = readable.length === 2 && !differ
  return {
    payments: [...all.values()].toReversed(),
    described: mergeDescribed(readable.map(({ described }) => described)),
    notes: isTwofold ? [...(readable[0]?.notes ?? [])] : unique(notes),
  }
}

const mergeDescribed = (all: readonly Described[]): Described => ({
  ...Object.assign({}, ...all.toReversed()),
  extensions: [...new Set(all.flatMap(({ extensions }) => extensions))],
})

const paymentKey = ({ scheme, chain, payTo, asset, amount }: Payment) =>
  JSON.stringify([scheme, chain, addressKey(payTo, chain), addressKey(asset, chain), amount.toString()])

function readFound({ from, terms }: Found): Reading {
  const extensions = isRecord(terms.extensions) ? terms.extensions : {}
  const signIn = isRecord(extensions['sign-in-with-x'])
  const refuse = (...problems: readonly Message[]): Reading => ({
    readable: false,
    problems,
    notes: [],
    otherRails: [],
    signIn,
  })
  const version = readVersion(terms, from)
  if (version === undefined) return refuse(say('version_unknown', { version: shownValue(terms.x402Version) }))
  const { accepts } = terms
  if (!Array.isArray(accepts)) {
    return refuse(say('payTo' in terms || 'scheme' in terms ? 'bare_requirements' : 'no_accepts'))
  }
  if (accepts.length === 0 && !signIn) return refuse(say('empty_accepts'))

  const entries = accepts.slice(0, MAX_WAYS).map((entry, i) => readEntry(entry, `accepts[${i}]`, version))
  const payments = entries.flatMap(entry => ('payment' in entry ? [entry.payment] : []))
  const wrong = firstFew(entries.flatMap(entry => ('problems' in entry ? entry.problems : [])))
  if (payments.length === 0 && wrong.length > 0) return refuse(...wrong)
  const notes = [
    ...placeNotes(from, version),
    ...(typeof terms.x402Version === 'number' ? [] : [say('version_not_a_number', { version })]),
    ...wrong,
    ...firstFew(entries.flatMap(entry => ('payment' in entry ? entry.notes : []))),
    ...(accepts.length > MAX_WAYS ? [say('entries_unread', { read: MAX_WAYS })] : []),
  ]
  const described = describe(terms, accepts)
  return { readable: true, version, from, payments, described, notes, otherRails: [], signIn }
}

/** Servers send the version as text too, and some leave it out: then the words that only one version has decide. */
function readVersion(terms: Readonly<Record<string, unknown>>, from: 'header' | 'body'): 1 | 2 | undefined {
  const { x402Version: version, accepts } = terms
  if (version === undefined || version === null) {
    const first: unknown = Array.isArray(accepts) ? accepts[0] : terms
    if (isRecord(first) && 'maxAmountRequired' in first) return 1
    return from === 'header' || (isRecord(first) && 'amount' in first) ? 2 : 1
  }
  const number = typeof version === 'string' ? Number(version.trim() || Number.NaN) : version
  return number === 1 || number === 2 ? number : undefined
}

function placeNotes(from: 'header' | 'body', version: 1 | 2): Message[] {
  if (from === 'header' && version === 1) return [say('version_1_in_header')]
  if (from === 'body' && version === 2) return [say('version_2_in_body')]
  return []
}

function readHeader(value: string | null | undefined): Found | Message | undefined {
  const text = value?.trim()
  if (!text) return undefined
  // Both alphabets of base64, with or without padding, are seen; line folds leave white space.
  const base64 = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return say('header_not_base64', { holds: text.startsWith('{') ? 'json' : 'other' })
  }
  const terms = parseJson(Buffer.from(base64, 'base64'))
  return isRecord(terms) ? { from: 'header', terms } : say('header_not_json')
}

function readBody(body: Uint8Array | string): Found | undefined {
  const terms = parseJson(body)
  if (!isRecord(terms)) return undefined
  const isTerms = 'x402Version' in terms || 'accepts' in terms || ('payTo' in terms && 'scheme' in terms)
  return isTerms ? { from: 'body', terms } : undefined
}

function parseJson(text: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
  } catch {
    return undefined
  }
}

function readOtherRails(authenticate: string): string[] {
  const rails = new Set<string>()
  for (const [, scheme] of authenticate.matchAll(/(?:^|,)\s*(L402|LSAT|Payment)(?=\s|,|$)/gi)) {
    rails.add(scheme!.toLowerCase() === 'payment' ? 'Payment' : 'L402')
  }
  return [...rails]
}
