// A receiver of webhooks that keeps what it gets and answers in every good and bad way.
import { expect } from 'bun:test'
import { Webhook } from 'standardwebhooks'

export type Received = {
  readonly id: string
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and fails where one is missing
  readonly body: any
  readonly headers: Headers
  /** Raised when the sender waits for no answer any more. */
  readonly signal: AbortSignal
}

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** Challenges, which are kept apart; it agrees to all of them unless told otherwise. */
  readonly challenges: Received[]
  agree: (challenge: string, received: Received) => Response | Promise<Response>
  /** The most that were in its hands at once, by path. */
  readonly most: Map<string, number>
  answer: (received: Received, count: number) => Response | Promise<Response>
}

export function openReceiver({
  port = 0,
  hostname = '0.0.0.0',
}: {
  port?: number
  hostname?: string
} = {}): Receiver {
  const received: Received[] = []
  const challenges: Received[] = []
  const most = new Map<string, number>()
  const present = new Map<string, number>()
  const receiver = {
    url: '',
    port: 0,
    received,
    challenges,
    most,
    agree: (challenge => new Response(challenge)) as Receiver['agree'],
    answer: (() => new Response(null, { status: 204 })) as Receiver['answer'],
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const count = (present.get(pathname) ?? 0) + 1
      present.set(pathname, count)
      most.set(pathname, Math.max(most.get(pathname) ?? 0, count))
      try {
        const text = await request.text()
        const { headers } = request
        expect(headers.get('content-type')).toBe('application/json')
        const got = {
          id: headers.get('webhook-id')!,
          path: pathname,
          body: JSON.parse(text),
          headers,
          signal: request.signal,
        }
        texts.set(got, text)
        if (got.body.type === 'webhook.challenge') {
          challenges.push(got)
          return await receiver.agree(got.body.data.challenge, got)
        }
        received.push(got)
        return await receiver.answer(got, received.length)
      } finally {
        present.set(pathname, present.get(pathname)! - 1)
      }
    },
  })
  receiver.port = server.port!
  receiver.url = `http://${hostname === '0.0.0.0' ? '127.0.0.1' : hostname}:${server.port}`
  return receiver
}

const texts = new WeakMap<Received, string>()

/** Asks the library of the convention what the signature should be, at whatever time it was made. */
export function isSignedWith(secret: string, received: Received): boolean {
  const sentAt = new Date(Number(received.headers.get('webhook-timestamp')) * 1000)
  const expected = new Webhook(secret).sign(received.id, sentAt, texts.get(received)!)
  return received.headers.get('webhook-signature') === expected
}

export const numbersOf = (received: readonly Received[]): number[] =>
  received.map(({ body }) => body.data.number)
