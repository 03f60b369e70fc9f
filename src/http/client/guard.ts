// Checks every payment of an official x402 client with the directory before it is made, and accounts for it there if there is a key. It
// needs only the client's hooks, so it depends on no version.
import { DirectoryError } from '../../domain/errors.ts'
import { isPerRequest, risksIn } from '../../domain/money/scheme-fields.ts'
import type { Resolution, ResolveQuery } from '../../domain/resolve/resolution.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Client, createClient, toBase } from './client.ts'

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
type Hook<C, R = undefined> = (hook: (context: C) => Promise<R>) => unknown

/** `x402Client`; the hooks after the first are needed with a key. */
type PaymentClient = {
  onBeforePaymentCreation: Hook<PaymentCreationContext, Refusal | undefined>
  onAfterPaymentCreation?: Hook<PaymentCreationContext & { readonly paymentPayload: object }>
  onPaymentCreationFailure?: Hook<PaymentCreationContext>
  onPaymentResponse?: Hook<{
    readonly paymentPayload: object
    readonly settleResponse?: { readonly success?: boolean; readonly transaction?: unknown } | undefined
  }>
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
  /**
   * A key of the directory: what its policy does not allow is not paid, and each payment is reserved within its budget before it is
   * signed, and reported. A directory that does not respond then means no payment, whatever `away` says.
   */
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
  const sending = openDirectory(options)
  const resolve = createResolver(sending)
  /** Keyed by the 402 that is about to be paid. */
  const answeredAt = new WeakMap<object, string>()

  async function judge(context: PaymentCreationContext): Promise<Refusal | undefined> {
    const { paymentRequired, selectedRequirements } = context
    const answered = answeredAt.get(paymentRequired)
    const requested = requestedDirectly(answered)
    const claimed = paymentRequired.resource?.url ?? selectedRequirements.resource
    const url = requested ?? answered ?? (typeof claimed === 'string' ? claimed : '')
    const isUrlKnown = requested !== undefined
    const query = readQuery(url, selectedRequirements, paymentRequired.x402Version)
    if (typeof query === 'string') return refuse(query)
    return (await check(query, { url, isUrlKnown, selectedRequirements })) ?? account?.reserve(query, context)
  }

  async function check(
    query: ResolveQuery,
    { url, isUrlKnown, selectedRequirements }: Checked,
  ): Promise<Refusal | undefined> {
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
  const account = options.key === undefined ? undefined : openAccount(inner as PaymentClient, sending)
  ;(inner as PaymentClient).onBeforePaymentCreation(judge)
  return client
}

type Checked = {
  readonly url: string
  readonly isUrlKnown: boolean
  readonly selectedRequirements: Requirements
}

/** Reserves each payment at the directory, and reports it when it is signed: from then on it may be taken. */
function openAccount(client: PaymentClient, { directory, key }: Sending) {
  const by = { key: key! }
  const reserved = new WeakMap<object, string>()
  const paid = new WeakMap<object, string>()
  const { onAfterPaymentCreation, onPaymentCreationFailure, onPaymentResponse } = client
  if (!onAfterPaymentCreation || !onPaymentCreationFailure || !onPaymentResponse)
    throw new TypeError(
      'guard: this client does not tell what it pays; with a key, use that of @x402/core 2.',
    )
  // What this throws stops the payment before it is sent.
  onAfterPaymentCreation.call(client, async ({ selectedRequirements, paymentPayload }) => {
    const id = reserved.get(selectedRequirements)
    if (id === undefined) return undefined
    await directory.reportPayment(id, { state: 'settled' }, by)
    paid.set(paymentPayload, id)
    return undefined
  })
  // If it cannot be told, it comes back when it expires.
  onPaymentCreationFailure.call(client, async ({ selectedRequirements }) => {
    const id = reserved.get(selectedRequirements)
    if (id !== undefined) await directory.reportPayment(id, { state: 'released' }, by).catch(() => {})
    return undefined
  })
  onPaymentResponse.call(client, async ({ paymentPayload, settleResponse }) => {
    const id = paid.get(paymentPayload)
    const { success, transaction } = settleResponse ?? {}
    if (id !== undefined && success === true)
      await directory.reportPayment(id, { state: 'settled', transaction }, by).catch(() => {})
    return undefined
  })
  return {
    async reserve(query: ResolveQuery, { selectedRequirements }: PaymentCreationContext) {
      const id = `pay_${crypto.randomUUID()}`
      const validSeconds = Math.min(
        Math.max(1, Number(selectedRequirements.maxTimeoutSeconds) || MAX_VALID_SECONDS),
        MAX_VALID_SECONDS,
      )
      try {
        await directory.reserve({ ...query, id, validSeconds: Math.ceil(validSeconds) }, by)
        reserved.set(selectedRequirements, id)
        return undefined
      } catch (error) {
        // A key without a policy has no budget. The built client knows few codes of messages, so that of the error decides.
        const isKept = !(error instanceof DirectoryError && error.code === 'forbidden')
        return isKept ? refuse(toProblem(error).message) : undefined
      }
    },
  }
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

type Sending = { readonly directory: Client; readonly key: string | undefined }

function openDirectory({
  directory,
  key,
  timeoutMs = TIMEOUT_MS,
  fetch = globalThis.fetch,
}: GuardOptions): Sending {
  const client = createClient({
    key,
    url: toBase(directory, 'guard: directory'),
    // A payment does not wait for a retry.
    clock: { now: systemClock.now, sleep: () => Promise.reject(new Error('it is busy.')) },
    fetch: (url, init) => fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }),
  })
  return { directory: client, key }
}

function createResolver({ directory }: Sending) {
  return async (query: ResolveQuery): Promise<Resolution> => {
    const resolution = (await directory.resolve(query)).decode()
    const isAnswer =
      resolution?.url === query.url &&
      VERDICTS.includes(resolution.verdict) &&
      Array.isArray(resolution.reasons)
    if (!isAnswer) throw new Error('the response does not match the request.')
    return resolution
  }
}
