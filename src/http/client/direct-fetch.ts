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
export const requestedDirectly = (url: string | undefined): string | undefined =>
  url?.endsWith(MARK) ? url.slice(0, -MARK.length) : undefined

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')
