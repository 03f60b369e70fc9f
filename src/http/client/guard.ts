// Checks every payment of an official x402 client with the directory before it is made. It needs only the client's two hooks, so it
// depends on no version.
import { DirectoryError } from '../../domain/errors.ts'
import { isPerRequest, risksIn } from '../../domain/money/money.ts'
import type { Resolution, ResolveQuery } from '../../domain/resolve/resolution.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createClient, toBase } from './client.ts'

// A fetch that accepts a 402 only from the requested URL. An x402 client sends its signature to the requested URL, but passes the URL
// after redirects to hooks: a thief could redirect to an honest seller and receive the signature.

type Fetch = typeof globalThis.fetch

/** Cannot be forged by a server: the URL of a response has no fragment, and the value is secret. */
const MARK = `#${crypto.randomUUID()}`
const SIGNATURES = ['payment-signature', 'x-payment']

/** Throws if a redirect led to a 402, and follows no redirect with a signature. */
export function direct(send: Fetch): Fetch {
  const sendDirectly = async (...[input, init]: Parameters<Fetch>): Promise<Response> => {
    const original = new Request(input as Request, init)
    const isSigned = SIGNATURES.some(name => original.headers.has(name))
    const request = isSigned ? new Request(original, { redirect: 'manual' }) : original
    const response = await send(request)
    if (response.status !== 402) return response
    const url = withoutFragment(request.url)
    const responseUrl = response.url === '' ? url : withoutFragment(response.url)
    if (response.redirected || responseUrl !== url)
      throw new Error(
        `Shirube: ${url} redirects to ${responseUrl}, which asks to be paid. Call that URL itself.`,
      )
    Object.defineProperty(response, 'url', { value: `${url}${MARK}` })
    return response
  }
  return sendDirectly as Fetch
}

/** @returns the requested URL, if it is known that no redirect led to the response */
const requestedDirectly = (url: string | undefined): string | undefined =>
  url?.endsWith(MARK) ? url.slice(0, -MARK.length) : undefined

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

export type { Resolution }

/** As passed to a hook by `x402Client`, of either version. */
type Requirements = {
  readonly scheme?: unknown
  readonly network?: unknown
  readonly asset?: unknown
  readonly payTo?: unknown
  readonly amount?: unknown
  readonly maxAmountRequired?: unknown
  readonly resource?: unknown
  readonly maxTimeoutSeconds?: unknown
  readonly extra?: unknown
}
type PaymentRequired = {
  readonly x402Version: number
  readonly resource?: { readonly url?: unknown } | undefined
}
type PaymentCreationContext = {
  readonly paymentRequired: PaymentRequired
  readonly selectedRequirements: Requirements
}
/** As passed to a hook by `x402HTTPClient`. */
type PaymentRequiredContext = { readonly paymentRequired: object; readonly requestUrl?: string | undefined }
type Refusal = { abort: true; reason: string }

/** `x402Client`. */
type PaymentClient = {
  onBeforePaymentCreation(hook: (context: PaymentCreationContext) => Promise<Refusal | undefined>): unknown
}
/** `x402HTTPClient`, which passes the URL of the response. */
type HttpPaymentClient = {
  onPaymentRequired(hook: (context: PaymentRequiredContext) => Promise<undefined>): unknown
}

/** The payment and the directory's verdict; `verdict` is null if the directory did not respond. */
export type Question = Partial<Omit<Resolution, 'verdict'>> & {
  readonly url: string
  readonly verdict: Resolution['verdict'] | null
  /** Whether the URL is the requested one, which receives the signature, and not a redirect target or a claim of the 402. */
  readonly isUrlKnown: boolean
  /** The reasons, in words. */
  readonly why: string
}

export type GuardOptions = {
  /** Address of the directory. */
  readonly directory: string
  /** A key of the directory: what its policy does not allow is not paid. */
  readonly key?: string
  /** Decides on `caution` and `unknown`. Without it such a payment is refused. */
  readonly ask?: (question: Question) => boolean | Promise<boolean>
  /** What to do if the directory does not respond; `refuse` by default. */
  readonly away?: 'refuse' | 'ask' | 'allow'
  /** Timeout of the directory's response. */
  readonly timeoutMs?: number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

const TIMEOUT_MS = 5_000
/** A signature that stays valid for longer can be used when nobody expects it. */
const MAX_VALID_SECONDS = 3_600
const UNKNOWN_URL =
  'It is not known whether this URL receives the signature: wrap direct(fetch) of shirube/guard, with an x402HTTPClient.'
const VERDICTS: readonly string[] = ['clear', 'caution', 'stop', 'unknown'] satisfies Resolution['verdict'][]

/**
 * Pass the `x402HTTPClient` that the wrapped fetch uses, and wrap `direct(fetch)`, so that the URL that receives the signature is
 * judged. Without `direct` the response may come from another URL, and an `x402Client` alone knows only what the 402 claims: then no
 * payment is clear without asking.
 */
export function guard<C extends PaymentClient | HttpPaymentClient>(client: C, options: GuardOptions): C {
  const { away = 'refuse', ask = () => false } = options
  const resolve = createResolver(options)
  /** Keyed by the 402 that is about to be paid. */
  const answeredAt = new WeakMap<object, string>()

  async function judge({
    paymentRequired,
    selectedRequirements,
  }: PaymentCreationContext): Promise<Refusal | undefined> {
    const answered = answeredAt.get(paymentRequired)
    const requested = requestedDirectly(answered)
    const claimed = paymentRequired.resource?.url ?? selectedRequirements.resource
    const url = requested ?? answered ?? (typeof claimed === 'string' ? claimed : '')
    const isUrlKnown = requested !== undefined
    const query = readQuery(url, selectedRequirements, paymentRequired.x402Version)
    if (typeof query === 'string') return refuse(query)
    const resolution = await resolve(query).catch(toProblem)
    if (resolution instanceof DirectoryError && resolution.code === 'invalid_request')
      return refuse(`the terms cannot be checked. ${resolution.message}`)
    // The directory has answered: it does not know the key.
    if (resolution instanceof DirectoryError && resolution.code === 'unauthorized')
      return refuse(resolution.message)
    if (resolution instanceof Error) {
      const why = `The directory gave no answer: ${resolution.message}`
      if (away === 'allow') return undefined
      if (away === 'ask' && (await ask({ url, verdict: null, isUrlKnown, why })) === true) return undefined
      return refuse(why)
    }
    const risks = risksOf(selectedRequirements)
    const reasons = [...resolution.reasons.map(({ text }) => text), ...risks]
    const why = (isUrlKnown ? reasons : [...reasons, UNKNOWN_URL]).join(' ')
    const { verdict } = resolution
    if (verdict === 'stop') return refuse(`stop. ${why}`)
    if (verdict === 'clear' && isUrlKnown && risks.length === 0) return undefined
    const isAllowed = await ask({ ...resolution, url, verdict, isUrlKnown, why })
    return isAllowed === true ? undefined : refuse(`${verdict}. ${why}`)
  }

  const inner =
    'onPaymentRequired' in client ? (client as unknown as { client: PaymentClient }).client : client
  if ('onPaymentRequired' in client)
    client.onPaymentRequired(async ({ paymentRequired, requestUrl }) => {
      if (typeof requestUrl === 'string') answeredAt.set(paymentRequired, requestUrl)
      return undefined
    })
  ;(inner as PaymentClient).onBeforePaymentCreation(judge)
  return client
}

/** Risks in these terms, which may differ from those the directory has seen. */
function risksOf({ scheme, extra, maxTimeoutSeconds: seconds }: Requirements): string[] {
  const risks = isPerRequest(String(scheme)) ? [] : risksIn(extra)
  const isLong = seconds !== undefined && !(Number(seconds) <= MAX_VALID_SECONDS)
  return [
    ...(risks.length > 0 ? [`These terms set ${risks.join(', ')}.`] : []),
    ...(isLong ? [`The payment would stay valid for ${String(seconds)} seconds.`] : []),
  ]
}

const refuse = (why: string): Refusal => ({ abort: true, reason: `Shirube: ${why}` })

const toProblem = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Compares every field that the client would sign; if one is missing, nothing is paid. */
function readQuery(url: string, requirements: Requirements, version: number): ResolveQuery | string {
  const { payTo, asset, network, scheme } = requirements
  const amount = version === 1 ? requirements.maxAmountRequired : requirements.amount
  const given = { url, payTo, asset, network, scheme, amount }
  const missing = Object.entries(given).filter(([, value]) => typeof value !== 'string' || value === '')
  if (missing.length > 0) return `the terms lack ${missing.map(([name]) => name).join(', ')}.`
  return given as ResolveQuery
}

function createResolver({ directory, key, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }: GuardOptions) {
  const client = createClient({
    key,
    url: toBase(directory, 'guard: directory'),
    // A payment does not wait for a retry.
    clock: { now: systemClock.now, sleep: () => Promise.reject(new Error('it is busy.')) },
    fetch: (url, init) => fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }),
  })
  return async (query: ResolveQuery): Promise<Resolution> => {
    const resolution = (await client.resolve(query)).decode()
    const isAnswer =
      resolution?.url === query.url &&
      VERDICTS.includes(resolution.verdict) &&
      Array.isArray(resolution.reasons)
    if (!isAnswer) throw new Error('the response does not match the request.')
    return resolution
  }
}
