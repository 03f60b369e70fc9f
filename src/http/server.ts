// The HTTP server: connects the routes to the pipeline, and listens.

import { closeSync, openSync } from 'node:fs'
import type { BunRequest, Server } from 'bun'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { say } from '../messages/message.ts'
import type { Page } from '../web/page.ts'
import { createOpenApi } from './openapi/document.ts'
import { answerProblem } from './pipeline/answer.ts'
import { createCallerNetworkReader, createRequesterReader } from './pipeline/caller.ts'
import { createOpenLimit, createRateLimiter } from './pipeline/limits.ts'
import { createPipeline, createRequestMeter, UNKNOWN_ROUTE } from './pipeline/pipeline.ts'
import type { Route } from './pipeline/route.ts'
import { createAgentDocumentRoutes } from './routes/agent-documents.ts'
import { type ApiDeps, type MetricsReaders, openRoute } from './routes/api-route.ts'
import { createMcpRoute } from './routes/mcp.ts'
import { API_ROUTES } from './routes/operations.ts'
import { createFailureAnswers, createPageRoutes, type RenderFailure } from './routes/pages.ts'

export type HttpSettings = {
  /** 0: any free port. */
  readonly port: number
  /** Several processes share the port, and the system distributes connections. */
  readonly sharesPort?: boolean
  readonly hosts: readonly string[]
  /** Requests per minute and caller; 0: no limit, not of open streams either. */
  readonly rateLimit: number
  /** Open event streams per caller. */
  readonly maxListeners?: number | undefined
  /** Number of trusted proxies in front. */
  readonly trustProxy: number
  readonly metrics: MetricsReaders
  /** Without a trailing slash. */
  readonly publicUrl: string | undefined
  readonly directoryName: string
}

export type HttpServerDeps = Pick<
  ApiDeps,
  'directory' | 'keys' | 'clock' | 'log' | 'probing' | 'webhooks'
> & {
  readonly settings: HttpSettings
  readonly pages: readonly Page[]
  /** undefined: problems are always sent as JSON, never as a page. */
  readonly renderFailure?: RenderFailure | undefined
  /** undefined: no MCP endpoint. */
  readonly mcp?: Pick<McpEndpoint, 'answer'> | undefined
}

export interface HttpServer extends AsyncDisposable {
  /** One per address, without a trailing slash. */
  readonly urls: readonly string[]
  /** Keeps answering for a moment and closes every connection, so that clients reconnect to another process on the port. */
  leave(): Promise<void>
}

type Fetchers = ReturnType<typeof createFetchers>

const DRAIN_MS = 5_000
/** Longer than an active client pauses between two requests. */
const LEAVE_MS = 1_000
/** Open event streams per caller. */
const MAX_LISTENERS = 200
const IDLE_TIMEOUT_SECONDS = 30
const DESCRIPTORS_EVERY_MS = 1_000
const SAY_EVERY_MS = 60_000
const SPARE_DESCRIPTORS = 16

/** Disposing it waits a few seconds for requests in flight, then closes. */
export function openHttpServer(deps: HttpServerDeps): HttpServer {
  const { clock, log, settings } = deps
  const closing = new AbortController()
  let isLeaving = false
  const fetchers = createFetchers(deps, closing.signal, () => isLeaving)
  const listeners = listen(settings, fetchers)
  const { port } = listeners[0]!

  /**
   * The runtime retries without a pause to accept a connection for which there is no descriptor. So nothing is listened on until there
   * are some again; open connections are answered meanwhile.
   */
  async function watchDescriptors(): Promise<void> {
    let saidAtMs = Number.NEGATIVE_INFINITY
    while (!closing.signal.aborted) {
      await clock.sleep(DESCRIPTORS_EVERY_MS, closing.signal)
      if (closing.signal.aborted || hasDescriptors(1)) continue
      const nowMs = clock.now().getTime()
      if (Math.abs(nowMs - saidAtMs) >= SAY_EVERY_MS) {
        saidAtMs = nowMs
        log.error('out of file descriptors: no connections are accepted until some are closed (ulimit -n)')
      }
      for (const listener of listeners.splice(0)) void listener.stop()
      while (!closing.signal.aborted && listeners.length === 0) {
        await clock.sleep(DESCRIPTORS_EVERY_MS, closing.signal)
        if (!closing.signal.aborted && hasDescriptors(SPARE_DESCRIPTORS)) listenAgain()
      }
    }
  }

  function listenAgain(): void {
    try {
      listeners.push(...listen({ ...settings, port: port! }, fetchers))
    } catch (error) {
      log.error('cannot listen again', { error })
    }
  }

  void watchDescriptors()
  return {
    urls: listeners.map(({ url }) => url.origin),
    async leave() {
      isLeaving = true
      await clock.sleep(LEAVE_MS)
    },
    async [Symbol.asyncDispose]() {
      isLeaving = true
      closing.abort()
      const drained = Promise.all(listeners.map(listener => listener.stop()))
      const patience = new AbortController()
      await Promise.race([drained, clock.sleep(DRAIN_MS, patience.signal)])
      patience.abort()
      await Promise.all(listeners.map(listener => listener.stop(true)))
    },
  }
}

/** One function per path for all methods: a wrong method would otherwise count as an unknown path. */
function createFetchers(deps: HttpServerDeps, closing: AbortSignal, isLeaving: () => boolean) {
  const { keys, log, clock, settings, pages, renderFailure, mcp } = deps
  const {
    trustProxy,
    metrics,
    directoryName,
    rateLimit,
    maxListeners = MAX_LISTENERS,
    publicUrl = '',
  } = settings
  const readCallerNetwork = createCallerNetworkReader(trustProxy, () =>
    log.warn('a proxy forwards requests, and TRUST_PROXY is 0: all callers share one rate limit'),
  )
  const readRequester = createRequesterReader({ keys, readCallerNetwork })
  const meter = createRequestMeter()
  const document = createOpenApi(API_ROUTES, publicUrl)
  const apiDeps: ApiDeps = {
    ...deps,
    metrics,
    directoryName,
    publicUrl,
    document,
    readCallerNetwork,
    readRequester,
    closing,
    enter: createOpenLimit({
      perCaller: rateLimit === 0 ? 0 : maxListeners,
      refuse: most => say('streams_open', { most }),
    }),
    meter,
  }
  const routes: Route[] = [
    ...API_ROUTES.map(route => openRoute(route, apiDeps)),
    ...createPageRoutes(pages, document, readCallerNetwork),
    ...(mcp ? [createMcpRoute({ mcp, publicUrl, readCallerNetwork })] : []),
    ...createAgentDocumentRoutes({ directoryName, publicUrl }),
  ]
  const toFetcher = createPipeline({
    clock,
    log,
    meter,
    isLeaving,
    limiter: rateLimit > 0 ? createRateLimiter(rateLimit) : undefined,
    readRequester,
    ...(renderFailure && { toFailurePage: createFailureAnswers(document, renderFailure, readCallerNetwork) }),
  })
  return {
    routes: Object.fromEntries(routes.map(route => [route.path, toFetcher(route)])),
    unknown: toFetcher(UNKNOWN_ROUTE),
  }
}

function hasDescriptors(count: number): boolean {
  const open: number[] = []
  try {
    while (open.length < count) open.push(openSync('/dev/null', 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    for (const descriptor of open) closeSync(descriptor)
  }
}

/** The last resort after the pipeline: no fault may show the runtime's error page. */
function answerFault(): Response {
  const { status, headers, body } = answerProblem(undefined)
  return new Response(body, { status, headers })
}

const toHandlers = ({ routes, unknown }: Fetchers) => ({
  routes,
  fetch: (request: Request, server: Server<undefined>) => unknown(request as BunRequest, server),
  error: answerFault,
})

function listen({ hosts, port, sharesPort = false }: HttpSettings, fetchers: Fetchers): Server<undefined>[] {
  const listeners: Server<undefined>[] = []
  for (const hostname of hosts) {
    try {
      listeners.push(
        Bun.serve<undefined, string>({
          hostname,
          port: listeners[0]?.port ?? port,
          idleTimeout: IDLE_TIMEOUT_SECONDS,
          development: false,
          // The handlers enforce their own limits; the runtime's refusal has no explanation.
          maxRequestBodySize: Number.MAX_SAFE_INTEGER,
          // Unless set, Bun lets a second server share the port, and the two would split the requests.
          reusePort: sharesPort,
          ...toHandlers(fetchers),
        }),
      )
    } catch (error) {
      const isMissing = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
      // A machine without IPv6 is served on IPv4 only.
      if (isMissing && hostname.includes(':') && listeners.length > 0) continue
      for (const listener of listeners) void listener.stop(true)
      throw error
    }
  }
  return listeners
}
