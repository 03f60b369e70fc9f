// Reads the payment terms of a response, from header and body, in every form that servers use and clients accept. Pure; never throws.
import { addressKey } from '../../domain/chains/addresses.ts'
import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { MAX_OPTIONS, signingObstacle, toMppOffer } from '../../domain/terms/terms.ts'
import { type Message, say, unique } from '../../messages/message.ts'
import { ambiguousKey, firstFew, shownValue } from '../untrusted.ts'
import { describeResource, type ResourceDescription } from './declared.ts'
import { type MppReading, NO_CHALLENGES, readChallengeHeader } from './mpp.ts'
import { type ParsedRequirements, readEntry, type UnreadRequirements } from './payment-requirements.ts'

type X402Answer = {
  readonly status: number
  readonly headers: { get(name: string): string | null | undefined }
  readonly body: Uint8Array | string
  /** Why the body is incomplete, or could not be decoded. */
  readonly bodyProblem?: Message | undefined
}

export type Reading = {
  /** What the owner should improve, although the terms are readable. */
  readonly notes: readonly Message[]
  /** What it offers besides charges by x402 and MPP. */
  readonly otherRails: readonly string[]
  /** A wallet's signature gives access too; without payment requirements it is the only way. */
  readonly signIn: boolean
  /** Requirements that cannot be read here, although a client may be able to. */
  readonly unread: readonly UnreadRequirements[]
} & (
  | {
      readonly readable: true
      /** Of x402; null if it asks by MPP alone. */
      readonly version: 1 | 2 | null
      /** Empty only if signing in is the only way. */
      readonly payments: readonly ParsedRequirements[]
      /** What the response says about the resource. */
      readonly described: ResourceDescription
    }
  | { readonly readable: false; readonly problems: readonly Message[] }
)

/** The terms that one part of the response carries: its header or its body. */
type CodedTerms = {
  readonly from: 'header' | 'body'
  readonly isLoose: boolean
  readonly version: 1 | 2
  readonly payments: readonly ParsedRequirements[]
  readonly unread: readonly UnreadRequirements[]
  readonly notes: readonly Message[]
  /** Why no payment is possible with these terms. */
  readonly problems: readonly Message[]
  readonly signIn: boolean
  readonly described: ResourceDescription
}

export function readTerms({ status, headers, body, bodyProblem }: X402Answer): Reading {
  const authenticate = headers.get('www-authenticate') ?? ''
  const header = readHeader(headers.get('payment-required'))
  return readParts({
    status,
    found: [...header.found, ...(bodyProblem ? [] : readBody(body))],
    // Clients of version 1 read only the body, as far as it arrives: an unread body may contain terms.
    bodyProblem,
    headerProblems: header.problems,
    mpp: readChallengeHeader(authenticate),
    isL402: /(?:^|,)\s*(?:L402|LSAT)(?=\s|,|$)/i.test(authenticate),
  })
}

/** @param found the terms in every part of the response where a client may look */
export function readParts({
  status = 402,
  found,
  headerProblems = [],
  bodyProblem,
  mpp = NO_CHALLENGES,
  isL402 = false,
}: {
  readonly status?: number
  readonly found: readonly (RawTerms | BrokenTerms)[]
  readonly headerProblems?: readonly Message[]
  readonly bodyProblem?: Message | undefined
  readonly mpp?: MppReading
  readonly isL402?: boolean
}): Reading {
  const otherRails = [...(isL402 ? ['L402'] : []), ...mpp.others.map(offer => `MPP ${offer}`)]
  const parts = found.flatMap(part => ('terms' in part ? [readPart(part)] : []))
  const fatal = [
    ...found.flatMap(part => ('problem' in part ? [part.problem] : [])),
    ...parts.flatMap(part => ('fatal' in part ? [part.fatal] : [])),
  ]
  const readings = parts.filter((part): part is CodedTerms => !('fatal' in part))
  const payable = readings.filter(({ problems }) => problems.length === 0)
  const signIn = readings.some(reading => reading.signIn)
  const refuse = (problems: readonly Message[], unread: readonly UnreadRequirements[] = []): Reading => ({
    readable: false,
    problems: unique(problems),
    unread,
    notes: [],
    otherRails,
    signIn,
  })
  const hide = (problems: readonly Message[]) =>
    refuse(problems, [{ chain: null, problems, isComplete: true }])

  const best = payable.find(({ isLoose }) => !isLoose)
  if (status !== 402) {
    const namesTerms = best !== undefined || fatal.some(({ code }) => code !== 'body_not_json')
    return refuse([say('answers_without_402', { status, namesTerms })])
  }
  if (bodyProblem) fatal.push(bodyProblem)
  if (fatal.length > 0) return hide(fatal)
  const unread = [...readings, mpp].flatMap(reading => reading.unread)
  const problems = [...headerProblems, ...(best ? [] : readings.flatMap(reading => reading.problems))]
  if (!best && mpp.payments.length === 0) {
    const all = [...problems, ...mpp.unread.flatMap(way => way.problems)]
    return refuse(all.length > 0 ? all : [say('no_terms', { otherRails })], unread)
  }
  const { payments: byX402, described, notes } = merge(payable)
  const payments = [...byX402, ...mpp.payments]
  if (payments.length > MAX_OPTIONS) return hide([tooManyOptions(payments.length)])
  return {
    readable: true,
    version: best?.version ?? null,
    payments,
    unread,
    described: withOffers(described, mpp.others),
    notes: [...problems, ...notes, ...mpp.notes],
    otherRails,
    signIn,
  }
}

const tooManyOptions = (count: number) => say('too_many_ways', { count, most: MAX_OPTIONS })

/** Clients of version 2 read the header, those of version 1 the body: what either would pay counts. */
function merge(parts: readonly CodedTerms[]): Pick<CodedTerms, 'payments' | 'described' | 'notes'> {
  const keyed = parts.map(({ payments }) => new Map(payments.map(payment => [paymentKey(payment), payment])))
  // Of duplicate requirements the first wins, which is the header's: its version is reported.
  const all = new Map(keyed.flatMap(part => [...part]).toReversed())
  const notes = parts.flatMap(part => part.notes)
  const differ = keyed.some(part => part.size !== all.size)
  if (differ) notes.push(say('terms_differ'))
  // The same terms in both parts serve clients of both versions: nothing to improve.
  const isTwofold = parts.length === 2 && !differ
  return {
    payments: [...all.values()].toReversed(),
    described: mergeDescribed(parts.map(({ described }) => described)),
    notes: isTwofold ? [...(parts[0]?.notes ?? [])] : unique(notes),
  }
}

const mergeDescribed = (all: readonly ResourceDescription[]): ResourceDescription => ({
  ...Object.assign({}, ...all.toReversed()),
  extensions: [...new Set(all.flatMap(({ extensions }) => extensions))],
})

/** A deposit at a gateway has nothing but its name in `extra` to tell it from a plain payment. */
const paymentKey = ({ scheme, chain, payTo, asset, amount, moneyKey, extra }: ParsedRequirements) => {
  const isDeposit = signingObstacle({ scheme, chain, extra }) === 'deposit'
  const [payee, money] = [payTo, asset].map(address => addressKey(address, chain))
  return JSON.stringify([scheme, chain, payee, money, amount.toString(), moneyKey, isDeposit])
}

/** @returns `fatal` if a client may read requirements that are not read here */
function readPart({ from, terms, isLoose = false }: RawTerms): CodedTerms | { readonly fatal: Message } {
  const extensions = isRecord(terms.extensions) ? terms.extensions : {}
  const signIn = isRecord(extensions['sign-in-with-x'])
  const { accepts } = terms
  const version = readVersion(terms, from)
  const nothing = {
    from,
    isLoose,
    version: version ?? 2,
    payments: [],
    unread: [],
    notes: [],
    signIn,
    described: { extensions: [] },
  }
  if (version === undefined) {
    const problem = say('version_unknown', { version: shownValue(terms.x402Version) })
    return 'accepts' in terms ? { fatal: problem } : { ...nothing, problems: [problem] }
  }
  if (!Array.isArray(accepts))
    return {
      ...nothing,
      problems: [say('payTo' in terms || 'scheme' in terms ? 'bare_requirements' : 'no_accepts')],
    }
  if (accepts.length === 0 && !signIn) return { ...nothing, problems: [say('empty_accepts')] }
  if (accepts.length > MAX_OPTIONS) return { fatal: tooManyOptions(accepts.length) }

  const entries = accepts.map((entry, i) => readEntry(entry, `accepts[${i}]`, version))
  const payments = entries.flatMap(entry => ('payment' in entry ? [entry.payment] : []))
  // A value that is not an object is not payable by any client.
  const unread = entries.filter(
    (entry, i): entry is UnreadRequirements => 'problems' in entry && isRecord(accepts[i]),
  )
  const wrong = firstFew(entries.flatMap(entry => ('problems' in entry ? entry.problems : [])))
  const isNothing = payments.length === 0 && wrong.length > 0
  const notes = [
    ...placeNotes(from, version),
    ...(typeof terms.x402Version === 'number' ? [] : [say('version_not_a_number', { version })]),
    ...wrong,
    ...firstFew(entries.flatMap(entry => ('payment' in entry ? entry.notes : []))),
  ]
  const described = describeResource(terms, accepts)
  return {
    from,
    isLoose,
    version,
    payments,
    unread,
    described,
    notes,
    problems: isNothing ? wrong : [],
    signIn,
  }
}

/** Some servers send the version as text or leave it out: then the field names of one version decide. */
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

/** Sessions and subscriptions are kept by name, among the extensions: nobody pays a request by them alone. */
const withOffers = (
  { extensions, ...described }: ResourceDescription,
  offers: readonly string[],
): ResourceDescription => ({ ...described, extensions: [...extensions, ...offers.map(toMppOffer)] })

export type RawTerms = {
  readonly from: 'header' | 'body'
  readonly terms: JsonRecord
  /** Only lenient clients can read it. */
  readonly isLoose?: boolean
}
/** Terms that cannot be parsed here, although a client may be able to. */
export type BrokenTerms = { readonly from: 'header' | 'body'; readonly problem: Message }

/**
 * Repeated headers arrive joined by commas, and clients take the first, the last, or what a lenient decoder makes of
 * all, so each is read. Terms for lenient clients only are reported as a problem, and still count. An unreadable header
 * is never ignored: clients of version 2 do not fall back to the body.
 */
function readHeader(value: string | null | undefined): {
  found: readonly (RawTerms | BrokenTerms)[]
  problems: readonly Message[]
} {
  const text = value?.trim()
  if (!text) return { found: [], problems: [] }
  // Both base64 alphabets, with or without padding, are common. Only lenient clients accept white space inside.
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    const found = parseTerms('header', decodeBase64(text))
    return { found: [found ?? { from: 'header', problem: say('header_not_json') }], problems: [] }
  }
  const isJson = text.startsWith('{')
  const problem = say('header_not_base64', { holds: isJson ? 'json' : 'other' })
  const values = isJson ? [text] : text.split(',').filter(value => value.trim() !== '')
  const read = (value: string): RawTerms | BrokenTerms | undefined => {
    const found = parseTerms('header', isJson ? value : decodeBase64(value))
    return found && { ...found, isLoose: true }
  }
  const each = values.map(value => read(value) ?? { from: 'header' as const, problem })
  const all = values.length > 1 ? read(text) : undefined
  return { found: all ? [...each, all] : each, problems: [problem] }
}

/** Skips other characters, as many decoders do; TextDecoder drops a byte order mark, as the official client does. */
const decodeBase64 = (text: string): string =>
  new TextDecoder().decode(
    Buffer.from(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/[^A-Za-z0-9+/]/g, ''),
      'base64',
    ),
  )

/** After the byte order marks and zero bytes of any encoding. */
const OPENS_OBJECT = /^[\s\0\xef\xbb\xbf\xfe\xff\ufeff]*\{/

/** A body that starts like an object but does not parse may be readable for a client that accepts more encodings, or `NaN`. */
export function readBody(body: Uint8Array | string): (RawTerms | BrokenTerms)[] {
  const found = parseTerms('body', typeof body === 'string' ? body : decodeText(body))
  if (found) return 'problem' in found || looksLikeTerms(found.terms) ? [found] : []
  const start = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  return OPENS_OBJECT.test(start) ? [{ from: 'body', problem: say('body_not_json') }] : []
}

export const looksLikeTerms = (value: JsonRecord): boolean =>
  'x402Version' in value || 'accepts' in value || ('payTo' in value && 'scheme' in value)

/** Without a byte order mark the encoding is detected by the first zero bytes, as some clients do. */
function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff || (bytes[0] !== 0 && bytes[1] === 0)
      ? 'utf-16le'
      : bytes[0] === 0 || bytes[0] === 0xfe
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

export function parseTerms(from: 'header' | 'body', text: string): RawTerms | BrokenTerms | undefined {
  let terms: unknown
  try {
    terms = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(terms)) return undefined
  const key = ambiguousKey(text)
  return key === undefined
    ? { from, terms }
    : { from, problem: say('key_ambiguous', { key: shownValue(key) }) }
}
