// The types of routes: what a handler receives and returns. The pipeline turns an answer into a response.
import type { BunRequest, Server } from 'bun'

/** The request, and the server that got it. */
export type Incoming = {
  readonly request: BunRequest
  readonly server: Server<undefined>
}

export type Exchange = Incoming & {
  /** Counts further cost that only the handler knows. @throws DirectoryError `rate_limited` */
  readonly charge: (cost: number) => void
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null
  /** The ETag of a JSON body; the pipeline then adds the headers that all such responses share. */
  readonly tag?: string
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Route = {
  /** In the syntax of `Bun.serve`, with `:id` for a parameter. */
  readonly path: string
  /** HEAD is supported with GET, OPTIONS everywhere. */
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
  /** Requested by browsers: errors are shown as a page. */
  readonly isPage?: boolean
  /** Pages of other sites may not read it. */
  readonly isPrivate?: boolean
  /** For monitoring: exempt from the rate limit. */
  readonly isUnlimited?: boolean
  /** Cost of a request relative to a list of 20, which costs 1; more than 1 waits for a turn of the event loop. */
  readonly cost?: number | ((request: BunRequest) => number)
}

export const allowedMethods = ({ methods }: Route): string =>
  [
    ...('GET' in methods ? ['GET', 'HEAD'] : []),
    ...(['POST', 'PATCH', 'DELETE'] as const).filter(method => method in methods),
    'OPTIONS',
  ].join(', ')
