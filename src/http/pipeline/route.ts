// The language of the routes: what a handler receives and gives back. The pipeline turns an answer into a response.
import type { BunRequest, Server } from 'bun'

export type Exchange = {
  readonly request: BunRequest
  readonly server: Server<undefined>
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null
  /** The entity tag of JSON that may be kept and compared; the headers that all such answers share are the pipeline's. */
  readonly tag?: string
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Route = {
  /** As `Bun.serve` writes it, with `:id` for a parameter. */
  readonly path: string
  /** HEAD is answered wherever GET is, OPTIONS everywhere. */
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
  /** People ask for it, and are told in words what goes wrong. */
  readonly isPage?: boolean
  /** For those who watch the process: never refused for having asked too often. */
  readonly isUnlimited?: boolean
}

export const allowedMethods = ({ methods }: Route): string =>
  [
    ...('GET' in methods ? ['GET', 'HEAD'] : []),
    ...(['POST', 'PATCH', 'DELETE'] as const).filter(method => method in methods),
    'OPTIONS',
  ].join(', ')
