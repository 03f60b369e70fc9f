// A fetch whose 402 answers come from the very URL that was asked. A client sends its signature there again, not to where a redirect
// led, and what it tells a hook is where the redirect led: a thief could answer with a redirect to an honest seller and be sent the
// signature.

type Fetch = typeof globalThis.fetch

/** No server can say this: an answer's URL has no fragment, and nobody else knows it. */
const MARK = `#${crypto.randomUUID()}`
const SIGNATURES = ['payment-signature', 'x-payment']

/** Throws where a redirect led to a 402, and follows none with a signature. */
export function direct(send: Fetch): Fetch {
  const sendDirectly = async (...[input, init]: Parameters<Fetch>): Promise<Response> => {
    const asked = new Request(input as Request, init)
    const isSigned = SIGNATURES.some(name => asked.headers.has(name))
    const request = isSigned ? new Request(asked, { redirect: 'manual' }) : asked
    const response = await send(request)
    if (response.status !== 402) return response
    const url = withoutFragment(request.url)
    const answered = response.url === '' ? url : withoutFragment(response.url)
    if (response.redirected || answered !== url)
      throw new Error(
        `Shirube: ${url} redirects to ${answered}, which asks to be paid. Call that URL itself.`,
      )
    Object.defineProperty(response, 'url', { value: `${url}${MARK}` })
    return response
  }
  return sendDirectly as Fetch
}

/** Returns the URL that was asked, where it is known from here that no redirect led to the answer. */
export const askedDirectly = (url: string | undefined): string | undefined =>
  url?.endsWith(MARK) ? url.slice(0, -MARK.length) : undefined

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')
